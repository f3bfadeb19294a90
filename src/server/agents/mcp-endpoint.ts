import { randomUUID } from 'node:crypto';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  InitializeRequestSchema,
  isInitializeRequest,
  JSONRPCMessageSchema,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { Logger } from 'pino';
import { StoreUnavailableError } from '../../database/database.js';
import type { MinuteLimitGuard } from '../../features/quota/minute-limit.guard.js';
import { ApiError, badRequest, limitExceeded, serviceUnavailable } from '../../http/api-error.js';
import type { ApiRequest, ApiResponse } from '../../http/api-request.js';
import type { Caller } from '../../http/request-context.js';
import { minuteHeaders, openReply, Reply } from '../../http/envelope/reply.js';
import { BodyTooDeepError, readJsonBody } from '../../http/validation/json-body.js';
import { RateLimitedLog } from '../../model/rate-limited-log.js';
import type { ApiDescription } from './api-description.js';
import type { Budgets } from './budgets.js';
import { insertEnvelope } from './tool-answer.js';
import { ToolCalls, type McpMessage } from './tool-calls.js';
import type { Loopback } from './loopback.js';
import { toolsOf, type OperationTool } from './tools.js';

const SESSION_HEADER = 'mcp-session-id';
const LIMIT_HEADER = 'x-max-credits';

/** JSON-RPC's codes for what is refused before a message is looked at. */
const REFUSED = -32000;
const SESSION_NOT_FOUND = -32001;

const INSTRUCTIONS = `Data about content creators, their content, games, analysis and social links on five platforms; read-only.
Every call costs what its description says, and its answer tells what it cost. Lists go on with the argument cursor: send
paging.next_cursor of the answer before. IDs are those of the platform; profiles_lookup finds them by handle.`;

/** Origins of web pages; other clients send none, or a name of their own. */
const WEB_ORIGIN = /^(https?:|null$)/i;

/** One instance is enough: by default each server would make its own. */
const VALIDATOR = new AjvJsonSchemaValidator();

/**
 * The streamable HTTP transport: one POST a message, answered as JSON. No state is kept between two, but the credits of a
 * session that has a limit; only such a session has an ID.
 */
export class McpEndpoint {
  readonly #tools: ReadonlyMap<string, OperationTool>;
  readonly #version: string;
  readonly #calls: ToolCalls;
  readonly #unavailable: RateLimitedLog;

  constructor(
    description: ApiDescription,
    loopback: Loopback,
    private readonly budgets: () => Promise<Budgets>,
    private readonly minute: MinuteLimitGuard,
    logger: Logger,
  ) {
    this.#tools = toolsOf(description.operations());
    this.#version = description.document.info.version;
    this.#unavailable = new RateLimitedLog(logger, 'sessions of /mcp cannot be looked up');
    this.#calls = new ToolCalls(loopback, budgets, logger);
  }

  async answer(request: ApiRequest, response: ApiResponse, key: string, caller: Caller): Promise<Reply> {
    const message: McpMessage = { key, keyId: caller.keyId, sessionId: null, isForwarded: false, envelope: null };
    const refuse = (error: unknown) => this.#refuse(request, error);
    const reply = await this.#answer(request, response, message, caller).catch(refuse);
    // A call that became a request was counted as one.
    if (message.isForwarded || request.context.minute !== null) return reply;
    return this.minute
      .count(request.context, caller)
      .then(() => new Reply(reply.status, [...reply.headers, ...minuteHeaders(request.context)], reply.body), refuse);
  }

  /** @throws what is neither an error of the catalogue nor a store that is away */
  #refuse(request: ApiRequest, error: unknown): Reply {
    if (error instanceof ApiError) return refused(request, error, REFUSED);
    if (!(error instanceof StoreUnavailableError)) throw error;
    this.#unavailable.warn({ err: error });
    return refused(request, serviceUnavailable(), REFUSED);
  }

  async #answer(request: ApiRequest, response: ApiResponse, message: McpMessage, caller: Caller): Promise<Reply> {
    const { keyId } = caller;
    const sessionId = request.headers[SESSION_HEADER];
    if (response.traffic.readers.isBehind(keyId)) throw limitExceeded(1);
    let unreadable: ApiError | null = null;
    if (request.method === 'POST' && !isFromWebPage(request)) {
      unreadable = await readJsonBody(request, response, keyId).then(() => null, asApiError);
    }
    if (!isToolCall(request.body)) await this.minute.count(request.context, caller);
    if (isFromWebPage(request)) throw new ApiError(403, 'Web pages cannot call /mcp');
    if (request.method === 'DELETE' && typeof sessionId === 'string') {
      await (await this.budgets()).close(keyId, sessionId);
      return openReply(request.context, { status: 204, body: null, headers: [], itemsReturned: 0 });
    }
    if (request.method !== 'POST') throw new ApiError(405, 'Method not allowed', { Allow: 'POST, DELETE' });
    if (unreadable instanceof BodyTooDeepError) {
      return refused(request, unreadable, ErrorCode.InvalidRequest, idOf(request.body));
    }
    if (unreadable?.status === 400) return refused(request, unreadable, ErrorCode.ParseError);
    if (unreadable !== null) throw unreadable;
    if (Array.isArray(request.body)) throw badRequest('Messages must be sent one by one');
    const wrong = problemOf(request.body);
    if (wrong !== null) return refused(request, badRequest(wrong.message), wrong.code, wrong.id);
    if (isInitializeRequest(request.body)) return this.#open(request, message);

    if (typeof sessionId !== 'string') {
      // A client that loses the session would lose the limit.
      if (limitOf(request) !== null) throw badRequest('X-Max-Credits needs a session: send Mcp-Session-Id');
      return this.#handle(request, message);
    }
    const found = await (await this.budgets()).reserve(keyId, sessionId, 0);
    if (found === null)
      return refused(request, new ApiError(404, 'Session not found: initialize again'), SESSION_NOT_FOUND);
    message.sessionId = sessionId;
    return this.#handle(request, message);
  }

  async #open(request: ApiRequest, message: McpMessage): Promise<Reply> {
    const maxCredits = limitOf(request);
    if (maxCredits === null) return this.#handle(request, message);
    message.sessionId = randomUUID();
    const reply = await this.#handle(request, message, ['Mcp-Session-Id', message.sessionId]);
    if (reply.status === 200) await (await this.budgets()).open(message.keyId, message.sessionId, maxCredits);
    return reply;
  }

  /** A server and a transport of its own: the SDK's transport without sessions serves one request. */
  async #handle(request: ApiRequest, message: McpMessage, headers: readonly string[] = []): Promise<Reply> {
    const server = this.#serverFor(message);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      const answer = await transport.handleRequest(asWebRequest(request), { parsedBody: request.body });
      const text = await answer.text();
      const whole = message.envelope === null ? text : insertEnvelope(text, message.envelope);
      const body = whole === '' ? null : Buffer.from(whole);
      return openReply(request.context, { status: answer.status, body, headers, itemsReturned: 0 });
    } finally {
      await server.close();
    }
  }

  #serverFor(message: McpMessage): Server {
    const server = new Server(
      { name: 'creator-data', version: this.#version },
      { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator: VALIDATOR },
    );
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: [...this.#tools.values()].map(({ tool }) => tool),
    }));
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
      const tool = this.#tools.get(params.name);
      if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
      return this.#calls.call(tool, params.arguments ?? {}, message);
    });
    return server;
  }
}

const isToolCall = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'method' in body && body.method === 'tools/call';

/** Whether a web page sends the request, whatever name it used for this machine. */
const isFromWebPage = ({ headers }: ApiRequest): boolean =>
  headers.origin !== undefined && WEB_ORIGIN.test(headers.origin);

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

/** @returns null where the client sets no limit @throws ApiError 400 */
function limitOf({ headers }: ApiRequest): number | null {
  const text = headers[LIMIT_HEADER];
  if (text === undefined) return null;
  if (typeof text !== 'string' || !/^\d{1,12}$/.test(text)) throw badRequest('X-Max-Credits must be a whole number');
  return Number(text);
}

/** What the transport looks at. It always answers with JSON, so clients need not say that they take a stream, too. */
function asWebRequest({ headers }: ApiRequest): Request {
  const version = headers['mcp-protocol-version'];
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(typeof version === 'string' ? { 'mcp-protocol-version': version } : {}),
    },
  });
}

/** Requests of which the SDK would say that the server failed, if their params are wrong. */
const CHECKED = { initialize: InitializeRequestSchema, 'tools/call': CallToolRequestSchema } as const;

/** What is wrong with a message: not JSON-RPC, or params that are not what the method takes. */
function problemOf(body: unknown): { code: number; message: string; id: string | number | null } | null {
  const { method } = membersOf(body);
  const id = idOf(body);
  if (!JSONRPCMessageSchema.safeParse(body).success)
    return { code: ErrorCode.InvalidRequest, message: 'The message is not JSON-RPC 2.0', id };
  if (method !== 'initialize' && method !== 'tools/call') return null;
  const issue = CHECKED[method].safeParse(body).error?.issues[0];
  if (issue === undefined) return null;
  return { code: ErrorCode.InvalidParams, message: `${issue.path.join('.')}: ${issue.message}`, id };
}

const membersOf = (body: unknown) =>
  (typeof body === 'object' && body !== null ? body : {}) as Readonly<Record<string, unknown>>;

/** @returns null for a message without a valid ID */
function idOf(body: unknown): string | number | null {
  const { id } = membersOf(body);
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function refused(
  { context }: ApiRequest,
  { status, message, headers }: ApiError,
  code: number,
  id: string | number | null = null,
): Reply {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id }));
  const own = Object.entries(headers).flatMap(([name, value]) => [name, String(value)]);
  return openReply(context, { status, body, headers: own, itemsReturned: 0 });
}
