import { randomUUID } from 'node:crypto';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  isInitializeRequest,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { Logger } from 'pino';
import { StoreUnavailableError } from '../../database/database.js';
import type { MinuteLimitGuard } from '../../features/quota/minute-limit.guard.js';
import {
  ApiError,
  fixedError,
  limitExceeded,
  methodNotAllowed,
  serviceUnavailable,
} from '../../http/errors/api-error.js';
import { describeError } from '../../http/errors/error-body.js';
import type { ApiRequest, ApiResponse } from '../../http/api-request.js';
import { FORCED_ANSWER_HEADER } from '../../http/forced-answer.js';
import type { Caller } from '../../http/request-context.js';
import { minuteHeaders, createUnpricedReply, Reply } from '../../http/envelope/reply.js';
import { rejectAbandoned } from '../../http/traffic/abandoned-request.js';
import { readJsonBody } from '../../http/validation/json-body.js';
import { RateLimitedLog } from '../../model/rate-limited-log.js';
import { version } from '../../model/version.js';
import type { ApiDescription } from './api-description.js';
import type { Budgets } from './budgets.js';
import { findProblem, readMessageId } from './message-problems.js';
import { MessageTurns } from './message-turns.js';
import { handleResources } from './resources.js';
import { ToolCalls, type McpMessage } from './tool-calls.js';
import type { Loopback } from './loopback.js';
import { createTools, renameRequests, type OperationTool } from './tools.js';

const SESSION_HEADER = 'mcp-session-id';
const LIMIT_HEADER = 'x-max-credits';

const LARGE_MESSAGE_BYTES = 8 * 1024;

/** JSON-RPC codes, from the range for servers, of messages that are rejected before the SDK handles them. */
const REJECTED = -32000;
const SESSION_NOT_FOUND = -32001;

const INSTRUCTIONS = `Data about content creators, their content, games, analysis and social links on five platforms; read-only.
A tool's description states its price, and each result its cost. To get the next page of a list, pass paging.next_cursor as the
argument cursor. IDs are those of the platform; profiles_lookup finds them by handle, profiles_search by words and filters.
Before you pay for analysis, audience, socials or email, ask profiles_get with include=available whether there are any. The resource creator-data:///guide.md
explains errors and cost.`;

/** Matches origins of web pages. Other clients send no origin, or a name of their own. */
const WEB_ORIGIN = /^(https?:|null$)/i;

/** Shared, because each server would otherwise create its own. */
const VALIDATOR = new AjvJsonSchemaValidator();

/**
 * MCP over the streamable HTTP transport: each message is a POST that is answered as JSON. The only state between messages
 * is the credits of sessions with a limit; only these have an ID.
 */
export class McpEndpoint {
  readonly #tools: ReadonlyMap<string, OperationTool>;
  readonly #calls: ToolCalls;
  readonly #turns = new MessageTurns();
  readonly #unavailable: RateLimitedLog;

  constructor(
    description: ApiDescription,
    loopback: Loopback,
    private readonly budgets: () => Promise<Budgets>,
    private readonly minute: MinuteLimitGuard,
    logger: Logger,
  ) {
    this.#tools = createTools(description);
    this.#unavailable = new RateLimitedLog(logger, 'sessions of /mcp cannot be looked up');
    this.#calls = new ToolCalls(loopback, budgets, logger, (text) => renameRequests(this.#tools, text));
  }

  async answer(request: ApiRequest, response: ApiResponse, key: string, caller: Caller): Promise<Reply> {
    const forcedAnswer = request.headers[FORCED_ANSWER_HEADER];
    const left = new AbortController();
    response.once('close', () => left.abort());
    const message: McpMessage = {
      key,
      left: left.signal,
      forcedAnswer,
      keyId: caller.keyId,
      sessionId: null,
      isForwarded: false,
    };
    const answerError = (error: unknown) => this.#answerError(request, error);
    const reply = await this.#answer(request, response, message, caller).catch(answerError);
    // A forwarded call was already counted as a request.
    if (message.isForwarded || request.context.minute !== null) return reply;
    return this.minute
      .count(request.context, caller)
      .then(
        () => new Reply(reply.status, [...reply.headers, ...minuteHeaders(request.context)], reply.body),
        answerError,
      );
  }

  /** Rethrows anything other than an ApiError or a StoreUnavailableError. */
  #answerError(request: ApiRequest, error: unknown): Reply {
    if (error instanceof ApiError) return createErrorReply(request, error, REJECTED);
    if (!(error instanceof StoreUnavailableError)) throw error;
    this.#unavailable.warn({ err: error });
    return createErrorReply(request, serviceUnavailable(), REJECTED);
  }

  async #answer(request: ApiRequest, response: ApiResponse, message: McpMessage, caller: Caller): Promise<Reply> {
    const { keyId } = caller;
    const sessionId = request.headers[SESSION_HEADER];
    if (response.traffic.unsent.exceedsUnsentLimit(keyId)) throw limitExceeded('too_many_unread_answers', 1);
    this.minute.requireNotFlooding(request.context, caller);
    if (isLarge(request)) await this.minute.count(request.context, caller);
    let bodyError: ApiError | null = null;
    if (request.method === 'POST' && !isFromWebPage(request)) {
      bodyError = await readJsonBody(request, response, keyId).then(() => null, asApiError);
    }
    // Before the SDK handles the message, which takes several times the CPU time of its request.
    await rejectAbandoned(response, true);
    if (!isToolCall(request.body) && request.context.minute === null) await this.minute.count(request.context, caller);
    if (isFromWebPage(request)) throw fixedError('web_page_rejected');
    if (request.method === 'DELETE' && typeof sessionId === 'string') {
      await (await this.budgets()).close(keyId, sessionId);
      return createUnpricedReply(request.context, { status: 204, body: null, headers: [], itemsReturned: 0 });
    }
    if (request.method !== 'POST') throw methodNotAllowed(['POST', 'DELETE']);
    if (bodyError?.code === 'body_too_deep' || bodyError?.code === 'body_too_complex') {
      return createErrorReply(request, bodyError, ErrorCode.InvalidRequest, readMessageId(request.body));
    }
    if (bodyError?.status === 400) return createErrorReply(request, bodyError, ErrorCode.ParseError);
    if (bodyError !== null) throw bodyError;
    if (Array.isArray(request.body)) throw invalidMessage('Messages must be sent one by one');
    // Tool calls take turns as the requests that they become.
    if (!isToolCall(request.body)) await this.#turns.wait(keyId, message.left);
    const problem = findProblem(request.body);
    if (problem !== null) return createErrorReply(request, invalidMessage(problem.message), problem.code, problem.id);
    if (isInitializeRequest(request.body)) return this.#open(request, message);

    if (typeof sessionId !== 'string') {
      // Rejected, because a client that forgets its session ID would otherwise spend without its limit.
      if (readCreditLimit(request) !== null) throw sessionRequired();
      return this.#handle(request, message);
    }
    const budget = await (await this.budgets()).reserve(keyId, sessionId, 0);
    if (budget === null) return createErrorReply(request, sessionNotFound(), SESSION_NOT_FOUND);
    message.sessionId = sessionId;
    return this.#handle(request, message);
  }

  async #open(request: ApiRequest, message: McpMessage): Promise<Reply> {
    const maxCredits = readCreditLimit(request);
    if (maxCredits === null) return this.#handle(request, message);
    message.sessionId = randomUUID();
    const reply = await this.#handle(request, message, ['Mcp-Session-Id', message.sessionId]);
    if (reply.status === 200) await (await this.budgets()).open(message.keyId, message.sessionId, maxCredits);
    return reply;
  }

  /** Handles a message with its own server and transport, because the SDK's transport without sessions serves one request. */
  async #handle(request: ApiRequest, message: McpMessage, headers: readonly string[] = []): Promise<Reply> {
    const server = this.#serverFor(message);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      const answer = await transport.handleRequest(createWebRequest(request), { parsedBody: request.body });
      const text = await answer.text();
      const body = text === '' ? null : Buffer.from(answer.status < 400 ? text : addErrorCode(text));
      return createUnpricedReply(request.context, { status: answer.status, body, headers, itemsReturned: 0 });
    } finally {
      await server.close();
    }
  }

  #serverFor(message: McpMessage): Server {
    const server = new Server(
      { name: 'creator-data', version: version() },
      { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator: VALIDATOR },
    );
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: [...this.#tools.values()].map(({ tool }) => tool),
    }));
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
      const tool = this.#tools.get(params.name);
      if (tool === undefined) throw unknownTool(params.name);
      return this.#calls.call(tool, params.arguments ?? {}, message);
    });
    handleResources(server);
    return server;
  }
}

const invalidMessage = (message: string) => new ApiError('invalid_message', message);

const sessionRequired = () => new ApiError('session_required', 'X-Max-Credits needs a session: send Mcp-Session-Id');

const sessionNotFound = () => new ApiError('session_not_found', 'Session not found: initialize again');

/** Adds the members of an API error to a JSON-RPC error of the SDK's transport. */
function addErrorCode(text: string): string {
  const answer = JSON.parse(text) as { error: { readonly message: string; data?: unknown } };
  answer.error.data ??= describeError(invalidMessage(answer.error.message));
  return JSON.stringify(answer);
}

function unknownTool(name: string): McpError {
  const error = new ApiError('unknown_tool', `Unknown tool: ${name}`);
  return new McpError(ErrorCode.InvalidParams, error.message, describeError(error));
}

/** Reports whether a message is longer than `LARGE_MESSAGE_BYTES`, or of unknown length. Such a message counts towards the minute
 * before it is read, and its tool call counts again: otherwise a key above its limit could keep the service busy with reading. */
function isLarge({ headers }: ApiRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > LARGE_MESSAGE_BYTES;
}

const isToolCall = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'method' in body && body.method === 'tools/call';

/** Rejecting web pages prevents DNS rebinding. */
const isFromWebPage = ({ headers }: ApiRequest): boolean =>
  headers.origin !== undefined && WEB_ORIGIN.test(headers.origin);

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}

/** Reads `X-Max-Credits`; null without a limit. @throws ApiError 400 */
function readCreditLimit({ headers }: ApiRequest): number | null {
  const text = headers[LIMIT_HEADER];
  if (text === undefined) return null;
  if (typeof text !== 'string' || !/^\d{1,12}$/.test(text)) {
    throw new ApiError('invalid_credit_limit', 'X-Max-Credits must be a whole number');
  }
  return Number(text);
}

/** Creates the request for the transport. Its `accept` is fixed: the transport requires that clients accept streams, too,
 * although it always answers with JSON. */
function createWebRequest({ headers }: ApiRequest): Request {
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

function createErrorReply(
  { context }: ApiRequest,
  error: ApiError,
  code: number,
  id: string | number | null = null,
): Reply {
  const { status, message } = error;
  const body = Buffer.from(
    JSON.stringify({ jsonrpc: '2.0', error: { code, message, data: describeError(error) }, id }),
  );
  const own = Object.entries(error.headers).flatMap(([name, value]) => [name, String(value)]);
  return createUnpricedReply(context, { status, body, headers: own, itemsReturned: 0 });
}
