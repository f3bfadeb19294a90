import { Agent, request, type IncomingHttpHeaders, type OutgoingHttpHeaders, type Server } from 'node:http';
import { FORCED_ANSWER_HEADER } from '../../http/forced-answer.js';
import { FairQueue, QueueFullError } from '../../http/traffic/fair-queue.js';
import type { ToolRequest } from './tool-request.js';

const CALL_LIMITS = {
  // Few, because a call takes several times the CPU time of its request.
  maxRunning: 8,
  maxRunningPerOwner: 4,
  // Far below the limit of requests in flight; otherwise calls would wait for their own requests.
  maxCalls: 256,
};

/** Both queues together stay below the limit of requests in flight. */
const FORCED_LIMITS = { maxRunning: 4, maxRunningPerOwner: 2, maxCalls: 64 };

/** Longer than any request takes: the service answers within a few seconds, even in an outage. */
const TIMEOUT_MS = 30_000;

/** Maximum size of a tool's answer, which is in memory several times. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;

/** What a message to `/mcp` passes on to the request of its tool call. */
export interface CallHeaders {
  readonly key: string;
  /** Aborted when the client of the message is gone. */
  readonly left: AbortSignal;
  /** Value of `X-Test-Answer`. */
  readonly forcedAnswer?: string | string[] | undefined;
}

/** Response of the API to a tool call. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Null if the body is too large. */
  readonly body: string | null;
}

/**
 * Sends requests to the service's own port, so that a tool call has the same checks, limits, price and record as any other
 * request.
 */
export class Loopback {
  readonly #agent = new Agent({ keepAlive: true, timeout: TIMEOUT_MS });
  readonly #queue = new FairQueue(CALL_LIMITS);
  /** A forced answer can be slow on purpose, so it must not take the turn of calls to the store. */
  readonly #forcedAnswers = new FairQueue(FORCED_LIMITS);

  constructor(private readonly server: Server) {}

  /** Sends a request when it is the key's turn, unless its client is gone by then. @throws QueueFullError if nothing was sent, or a
   * connection error, after which the call may have been charged */
  send(toSend: ToolRequest, { key, left, forcedAnswer }: CallHeaders): Promise<ApiAnswer> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const headers = {
      'x-api-key': key,
      ...(forcedAnswer === undefined ? {} : { [FORCED_ANSWER_HEADER]: forcedAnswer }),
    };
    const queue = forcedAnswer === undefined ? this.#queue : this.#forcedAnswers;
    return queue.run(key, AbortSignal.any([signal, left]), () => {
      if (left.aborted) throw new QueueFullError();
      return this.#send(toSend, headers, signal);
    });
  }

  close(): void {
    this.#agent.destroy();
  }

  #send({ method, path, body }: ToolRequest, own: OutgoingHttpHeaders, signal: AbortSignal): Promise<ApiAnswer> {
    return new Promise((resolve, reject) => {
      const outgoing = request({
        ...addressOf(this.server),
        agent: this.#agent,
        method,
        path,
        headers: {
          ...own,
          ...(body === null ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
        },
        signal,
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
