import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Answer } from '../http/request.js';
import { bodyOf, NEEDED_QUERY, type DescribedOperation } from '../openapi/operations.js';
import type { TestService } from './test-service.js';

/** A tool result, with untyped members for assertions. */
export interface ToolResult extends CallToolResult {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests say what they expect of each member
  readonly structuredContent?: any;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
  readonly _meta?: any;
}

/** The client of the SDK, connected and initialised. Close it at the end. */
export class McpClient {
  private constructor(
    readonly client: Client,
    readonly transport: StreamableHTTPClientTransport,
  ) {}

  static async connect(
    origin: string,
    key: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<McpClient> {
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', origin), {
      requestInit: { headers: { 'x-api-key': key, ...headers } },
    });
    const client = new Client({ name: 'a test', version: '1.0.0' });
    await client.connect(transport);
    return new McpClient(client, transport);
  }

  async call(name: string, given: Readonly<Record<string, unknown>> = {}): Promise<ToolResult> {
    return (await this.client.callTool({ name, arguments: given })) as ToolResult;
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

/** Returns the texts of a result. */
export const textsOf = ({ content }: ToolResult): string[] =>
  content.map((part) => (part.type === 'text' ? part.text : part.type));

/** Returns tool arguments that request the same as `requestOf`. */
export function argumentsOf(operation: DescribedOperation, id: string) {
  const { operationId, parameters } = operation;
  const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  return {
    ...Object.fromEntries(inPath.map((name) => [name, name === 'platform' ? 'live_platform' : id])),
    ...bodyOf(operation, id),
    ...NEEDED_QUERY[operationId],
  };
}

/** Sends an MCP message unchanged. */
export function postMessage(
  service: TestService,
  message: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return service.post('/mcp', message, headers);
}

/** The first message of a session. */
export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a test', version: '1.0.0' } },
} as const;

/** A call of a free tool. */
export const CALL_USAGE = {
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name: 'usage_get', arguments: {} },
} as const;
