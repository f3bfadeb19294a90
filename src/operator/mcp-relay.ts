import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  ErrorCode,
  isInitializeRequest,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { printLines } from './terminal.js';
import { isTooDeep, MAX_JSON_DEPTH } from '../model/json-depth.js';

/** Maximum size of an answer of the service. Its own have at most 2 MiB, as text within JSON. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** JSON-RPC error code for a message that could not be delivered to the service. */
const NOT_DELIVERED = -32000;

/**
 * Relays messages between standard input and output and the service's `/mcp`, until the input ends. The service implements
 * the tools, their prices and the limit of credits.
 */
export async function relayMcp(service: URL, key: string, maxCredits: number | null): Promise<void> {
  const client = new StdioServerTransport();
  const server = new StreamableHTTPClientTransport(new URL('mcp', baseUrl(service)), {
    fetch: fetchBounded,
    requestInit: {
      headers: { 'x-api-key': key, ...(maxCredits === null ? {} : { 'x-max-credits': String(maxCredits) }) },
    },
  });
  const inFlight = new Set<Promise<void>>();
  let initializeId: RequestId | null = null;
  let initialized = Promise.resolve();

  server.onmessage = (message) => {
    // Later requests must name the protocol version that was negotiated.
    if (isJSONRPCResultResponse(message) && message.id === initializeId) {
      server.setProtocolVersion(String(message.result.protocolVersion));
    }
    void client.send(message);
  };
  client.onmessage = (message) => {
    const isFirst = isInitializeRequest(message) && isJSONRPCRequest(message);
    // Later messages need the session that the response to `initialize` names.
    const sent: Promise<void> = (isFirst ? send(message) : initialized.then(() => send(message))).finally(() =>
      inFlight.delete(sent),
    );
    inFlight.add(sent);
    if (!isFirst) return;
    initializeId = message.id;
    initialized = sent;
  };
  client.onerror = (error) => {
    printLines(process.stderr, `standard input is not an MCP message: ${error.message.split('\n', 1)[0]}`);
    // JSON-RPC uses a null ID if the ID of the message is unknown; the SDK's type does not allow it.
    const response = { jsonrpc: '2.0', id: null, error: { code: ErrorCode.ParseError, message: 'Not an MCP message' } };
    void client.send(response as unknown as JSONRPCMessage);
  };

  async function send(message: JSONRPCMessage): Promise<void> {
    if (isTooDeep(message)) return refuseDepth(message);
    try {
      await server.send(message);
    } catch (error) {
      const { reason, data } = describeFailure(error, key);
      const text = `${service.origin}: ${reason}`;
      printLines(process.stderr, text);
      if (!isJSONRPCRequest(message)) return;
      await client.send({ jsonrpc: '2.0', id: message.id, error: { code: NOT_DELIVERED, message: text, data } });
    }
  }

  async function refuseDepth(message: JSONRPCMessage): Promise<void> {
    const text = `A message must not be nested deeper than ${MAX_JSON_DEPTH} levels`;
    process.stderr.write(`${text}\n`);
    if (!isJSONRPCRequest(message)) return;
    await client.send({ jsonrpc: '2.0', id: message.id, error: { code: ErrorCode.InvalidRequest, message: text } });
  }

  await server.start();
  await client.start();
  const isReadToEnd = await new Promise<boolean>((resolve) => {
    for (const event of ['end', 'close']) process.stdin.once(event, () => resolve(true));
    // The SDK stops reading after a message that is too large.
    client.onclose = () => resolve(false);
  });
  await Promise.all(inFlight);
  // Fails if the service has stopped; then no session is left to end.
  await server.terminateSession().catch(() => undefined);
  await server.close();
  await client.close();
  if (!isReadToEnd) throw new Error('a message on standard input was larger than 10 MiB: nothing after it was read');
}

/** Fetches, and fails once the body is larger than an answer can be. */
async function fetchBounded(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.body === null) return response;
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > MAX_ANSWER_BYTES) {
        const text = `an answer is larger than ${MAX_ANSWER_BYTES} bytes`;
        // The SDK reports it only if the answer is no stream of events.
        printLines(process.stderr, text);
        throw new Error(text);
      }
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(limit), response);
}

/** Returns the base URL of the service, with a trailing slash. Accepts the URL of its `/mcp` as well. */
function baseUrl(service: URL): URL {
  const url = new URL(service.href.replace(/\/mcp\/?$/, '/'));
  return url.pathname.endsWith('/') ? url : new URL(`${url.href}/`);
}

/** Error of the service, of the API or JSON-RPC. */
interface ServiceError {
  readonly message?: unknown;
  /** Members of the API's error; only in JSON-RPC. */
  readonly data?: unknown;
}

/** Extracts message and members of the service's error, or the reason why the request failed. */
function describeFailure(error: unknown, key: string): { readonly reason: string; readonly data?: unknown } {
  if (!(error instanceof Error)) return { reason: String(error) };
  // A service may repeat the key, which nobody may log.
  const answer = parseServiceError(error.message.replaceAll(key, '[key]'));
  if (answer !== null) return { reason: String(answer.message), data: answer.data ?? answer };
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return { reason: (error.message + cause).replaceAll(key, '[key]') };
}

/** Finds the service's response in the message of the transport's error; null if there is none. */
function parseServiceError(text: string): ServiceError | null {
  try {
    const { error } = JSON.parse(text.slice(text.indexOf('{'))) as { error?: ServiceError };
    return typeof error?.message === 'string' ? error : null;
  } catch {
    return null;
  }
}
