import { Agent, request, type IncomingHttpHeaders, type Server } from 'node:http';
import type { ToolRequest } from './tool-request.js';

/** Maximum tool calls in flight; others wait. Few, because a call takes several times the CPU time of its request. */
const AT_ONCE = 8;

/** Maximum calls, including waiting ones. Far below the limit of requests in flight; otherwise calls would wait for their
 * own requests. */
const MOST_CALLS = 256;

/** Longer than any request takes: the service answers within a few seconds, even in an outage. */
const TIMEOUT_MS = 30_000;

/** Maximum size of a tool's answer, which is in memory several times. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;

/** Response of the API to a tool call. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Null if the body is too large. */
  readonly body: string | null;
}

/** Thrown if there are too many concurrent calls. Nothing was sent. */
export class TooManyCallsError extends Error {}

/**
 * Sends requests to the service's own port, so that a tool call has the same checks, limits, price and record as any other
 * request.
 */
export class Loopback {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE, timeout: TIMEOUT_MS });
  #calls = 0;

  constructor(private readonly server: Server) {}

  /** @throws TooManyCallsError, or a connection error, after which the call may have been charged */
  async send(toSend: ToolRequest, key: string): Promise<ApiAnswer> {
    if (this.#calls >= MOST_CALLS) throw new TooManyCallsError();
    this.#calls += 1;
    try {
      return await this.#send(toSend, key);
    } finally {
      this.#calls -= 1;
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #send({ method, path, body }: ToolRequest, key: string): Promise<ApiAnswer> {
    return new Promise((resolve, reject) => {
      const outgoing = request({
        ...addressOf(this.server),
        agent: this.#agent,
        method,
        path,
        headers: {
          'x-api-key': key,
          ...(body === null ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
        },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      outgoing.on('error', reject);
      outgoing.on('response', (response) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes <= MAX_ANSWER_BYTES) chunks.push(chunk);
          else chunks.length = 0;
        });
        response.on('error', reject);
        response.on('end', () => {
          const text = bytes > MAX_ANSWER_BYTES ? null : Buffer.concat(chunks).toString('utf8');
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
        });
      });
      outgoing.end(body ?? undefined);
    });
  }
}

/** Returns the address at which the server can be reached from this machine. */
function addressOf(server: Server): { host: string; port: number } {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the service does not listen on a port');
  const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address.address] ?? address.address;
  return { host, port: address.port };
}
