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
import { print } from './terminal.js';
import { isTooDeep, MAX_JSON_DEPTH } from '../model/json-depth.js';

/** JSON-RPC's code for a message that the service did not take. */
const NOT_TAKEN = -32000;

/**
 * Hands each message between standard input and output and the service's `/mcp`, until the input ends. Tools, prices and
 * the limit of credits are the service's.
 */
export async function relayMcp(service: URL, key: string, maxCredits: number | null): Promise<void> {
  const client = new StdioServerTransport();
  const server = new StreamableHTTPClientTransport(new URL('mcp', withSlash(service)), {
    requestInit: {
      headers: { 'x-api-key': key, ...(maxCredits === null ? {} : { 'x-max-credits': String(maxCredits) }) },
    },
  });
  const underWay = new Set<Promise<void>>();
  let initializeId: RequestId | null = null;
  let initialized = Promise.resolve();

  server.onmessage = (message) => {
    // Later requests name the version that both agreed on.
    if (isJSONRPCResultResponse(message) && message.id === initializeId) {
      server.setProtocolVersion(String(message.result.protocolVersion));
    }
    void client.send(message);
  };
  client.onmessage = (message) => {
    const isFirst = isInitializeRequest(message) && isJSONRPCRequest(message);
    // What comes after it needs the session that its answer names.
    const sent: Promise<void> = (isFirst ? send(message) : initialized.then(() => send(message))).finally(() =>
      underWay.delete(sent),
    );
    underWay.add(sent);
    if (!isFirst) return;
    initializeId = message.id;
    initialized = sent;
  };
  client.onerror = (error) => {
    print(process.stderr, `not a message of MCP: ${error.message.split('\n', 1)[0]}`);
    // The SDK's type lacks the null that JSON-RPC has for a message whose ID is not known.
    const answer = { jsonrpc: '2.0', id: null, error: { code: ErrorCode.ParseError, message: 'Not a message of MCP' } };
    void client.send(answer as unknown as JSONRPCMessage);
  };

  async function send(message: JSONRPCMessage): Promise<void> {
    if (isTooDeep(message)) return refuseDepth(message);
    try {
      await server.send(message);
    } catch (error) {
      const text = `${service.origin}: ${reasonOf(error)}`;
      print(process.stderr, text);
      if (!isJSONRPCRequest(message)) return;
      await client.send({ jsonrpc: '2.0', id: message.id, error: { code: NOT_TAKEN, message: text } });
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
  await new Promise<void>((resolve) => process.stdin.once('end', resolve).once('close', resolve));
  await Promise.all(underWay);
  // A service that is gone has no session to end.
  await server.terminateSession().catch(() => undefined);
  await server.close();
  await client.close();
}

/** A service may live below a path of its own; the address of its `/mcp` stands for it, too. */
function withSlash(given: URL): URL {
  const url = new URL(given.href.replace(/\/mcp\/?$/, '/'));
  return url.pathname.endsWith('/') ? url : new URL(`${url.href}/`);
}

/** What the service said, in the form of the API or of JSON-RPC, or why it could not be asked. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const said = /"message":("(?:[^"\\]|\\.)*")/.exec(error.message)?.[1];
  if (said !== undefined) return String(JSON.parse(said));
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return error.message + cause;
}
