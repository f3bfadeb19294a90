import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that the server got. */
export interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
  /** By the clock of the server. */
  readonly at: number;
}

export interface ApiAnswer {
  readonly status: number;
  /** JSON, or what to send as it is. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What goes wrong with a request instead of an answer. */
export type Fault = 'none' | 'down' | 'cut';

/** Answer of the proxy before a platform that is down. It is no JSON. */
const DOWN: ApiAnswer = { status: 503, body: 'upstream error', headers: { 'content-type': 'text/plain' } };

/** A platform's API for tests. It behaves as documented, and fails when it is told to. */
export abstract class ApiServer {
  /** Requests in order, except those for tokens. */
  readonly calls: ApiCall[] = [];
  /** Every request that was answered with data. */
  readonly answered: ApiCall[] = [];
  url = '';
  /** Time in milliseconds since 1970. */
  now: () => number = Date.now;
  fault: (call: ApiCall) => Fault = () => 'none';
  /** Returns another answer than the documented one; null: the documented one. */
  override: (call: ApiCall) => ApiAnswer | null = () => null;
  /** Called after each answer was made, before it is sent. */
  afterAnswer: (call: ApiCall) => void = () => undefined;
  readonly #server = createServer((request, response) => {
    // A mistake of the server must not look like a slow platform.
    this.#handle(request, response).catch(() => response.destroy());
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  protected abstract answer(call: ApiCall): ApiAnswer;

  /** Lists the calls of a path. */
  callsOf(path: string): ApiCall[] {
    return this.calls.filter((call) => call.path === path);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', this.url);
    const body = await text(request);
    const { method = '', headers } = request;
    const call = { method, path: pathname, query: searchParams, body, headers, at: this.now() };
    if (!this.isTokenRequest(call)) this.calls.push(call);
    const fault = this.fault(call);
    if (fault === 'cut') {
      request.socket.destroy();
      return;
    }
    const answer = fault === 'down' ? DOWN : (this.override(call) ?? this.answer(call));
    if (answer.status === 200 && !this.isTokenRequest(call)) this.answered.push(call);
    this.afterAnswer(call);
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    const isRaw = typeof answer.body === 'string' || Buffer.isBuffer(answer.body);
    response.end(isRaw ? answer.body : JSON.stringify(answer.body));
  }

  protected isTokenRequest({ path }: ApiCall): boolean {
    return path === '/oauth2/token';
  }
}

/** Cursor of the item at an index. Clients must not read it, so it is no number. */
const cursorAt = (index: number): string => Buffer.from(`from ${index}`).toString('base64url');

/** A part of a list, and the cursor of the part after it; null: it is the last one. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

/** Returns the part of a list that begins at a cursor; null if the list has no such cursor. @param cursor null: the first part */
export function pageOf<T>(list: readonly T[], cursor: string | null, size: number): Page<T> | null {
  const start = cursor === null ? 0 : list.findIndex((_, index) => cursorAt(index) === cursor);
  if (start < 0) return null;
  const end = start + size;
  return { items: list.slice(start, end), next: end < list.length ? cursorAt(end) : null };
}

/** A bucket of calls that refills evenly, as platforms limit rates. */
export class RateBucket {
  #left: number;
  #at = -Infinity;

  constructor(
    private readonly calls: number,
    private readonly windowMs: number,
  ) {
    this.#left = calls;
  }

  /** Takes one call. @returns what is left; negative if the call is one too many */
  take(now: number): number {
    const refilled = ((now - this.#at) * this.calls) / this.windowMs;
    this.#left = Math.min(this.calls, this.#left + Math.max(0, refilled));
    this.#at = now;
    if (this.#left < 1) return -1;
    this.#left -= 1;
    return Math.floor(this.#left);
  }
}
