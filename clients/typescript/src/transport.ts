import { detailsOf } from './answer.js';
import { ApiError, ConnectionFailedError, RequestTimeoutError } from './errors.js';
import { addressOf, bodyOf, type Operation } from './request.js';
import { pause, retryAfterIn, retryDelay } from './retries.js';
import type { AnswerOf, BodyOf, CallOptions, OperationId, OptionsOf } from './types.js';

const TIMEOUT_MS = 30_000;
const MAX_RETRIES = 4;
const MAX_RETRY_WAIT_MS = 120_000;

/** Answers by URL. A `Map` is one; use a bounded one where URLs are many. Every use is checked with the service. */
export interface AnswerCache {
  get(url: string): unknown;
  set(url: string, answer: unknown): unknown;
}

export interface ClientOptions {
  /** Address of the service, such as `https://creators.example.com`; it may have a path. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Time of one attempt, including its body; 30 s by default. */
  readonly timeoutMs?: number;
  /** Retries after a 429, a 503 or a broken connection; 4 by default. */
  readonly maxRetries?: number;
  /** Time that a call spends waiting for retries; 2 minutes by default. A longer wait fails at once. */
  readonly maxRetryWaitMs?: number;
  /** Makes every GET conditional: a 304 is free, and returns the cached answer. */
  readonly cache?: AnswerCache;
  /** Answer that a test key forces: `402`, `404`, `429`, `500`, `503`, `slow` or `nulls`. */
  readonly testAnswer?: string;
}

/** A response whose body has arrived. */
interface Received {
  readonly response: Response;
  readonly text: string;
}

/** Sends requests. All operations only read, so all may be retried. */
export class Transport {
  readonly #options: ClientOptions;

  /** @throws TypeError for another `baseUrl` than an HTTP address */
  constructor(options: ClientOptions) {
    if (!/^https?:\/\/./.test(options.baseUrl)) throw new TypeError('baseUrl must begin with http:// or https://');
    this.#options = options;
  }

  /**
   * Requests an operation.
   * @throws ApiError, ConnectionFailedError, RequestTimeoutError, or the reason of the signal
   */
  async request<Id extends OperationId>(
    operation: Operation,
    parameters: object,
    options: OptionsOf<Id>,
  ): Promise<AnswerOf<Id>> {
    const { baseUrl, apiKey, cache, testAnswer } = this.#options;
    const url = addressOf(baseUrl, operation, parameters);
    const cached = operation.method === 'GET' ? (cache?.get(url) as AnswerOf<Id> | undefined) : undefined;
    const previous = options.previous ?? cached;
    const headers = new Headers({ accept: 'application/json', 'x-api-key': apiKey });
    const body = bodyOf(operation, parameters);
    if (testAnswer !== undefined) headers.set('x-test-answer', testAnswer);
    if (body !== null) headers.set('content-type', 'application/json');
    if (typeof previous?.etag === 'string') headers.set('if-none-match', previous.etag);
    // A redirect would carry the key to another server.
    const init: RequestInit = { method: operation.method, headers, body, redirect: 'manual' };

    const { received, attempts } = await this.#sendWithRetries(url, init, options);
    const { response, text } = received;
    const details = detailsOf(response, attempts);
    if (response.status === 304 && previous !== undefined) return { ...previous, ...details, notModified: true };
    const parsed = parse(text);
    if (!response.ok || !isBody<Id>(parsed)) throw new ApiError(details, parsed, retryAfterIn(response));
    const etag = response.headers.get('etag');
    const answer = { ...parsed, ...details, etag, notModified: false };
    if (operation.method === 'GET' && etag !== null) cache?.set(url, answer);
    return answer;
  }

  async #sendWithRetries(url: string, init: RequestInit, options: CallOptions) {
    const { maxRetries = this.#options.maxRetries ?? MAX_RETRIES, signal } = options;
    let waitLeft = this.#options.maxRetryWaitMs ?? MAX_RETRY_WAIT_MS;
    for (let attempts = 1; ; attempts += 1) {
      const received = await this.#send(url, init, options);
      const delay = retryDelay(received instanceof Error ? null : received.response, attempts);
      if (delay === null || attempts > maxRetries || delay > waitLeft) {
        if (received instanceof Error) throw received;
        return { received, attempts };
      }
      waitLeft -= delay;
      await pause(delay, signal);
    }
  }

  /** Sends a request once. @returns the error if the connection failed, which may be retried */
  async #send(url: string, init: RequestInit, options: CallOptions): Promise<Received | ConnectionFailedError> {
    const { signal, timeoutMs = this.#options.timeoutMs ?? TIMEOUT_MS } = options;
    signal?.throwIfAborted();
    // Not `AbortSignal.any`: it keeps every request of a signal that lives long.
    const attempt = new AbortController();
    const stop = () => attempt.abort();
    const timer = setTimeout(stop, timeoutMs);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      const response = await fetch(url, { ...init, signal: attempt.signal });
      return { response, text: await response.text() };
    } catch (error) {
      signal?.throwIfAborted();
      if (attempt.signal.aborted) throw new RequestTimeoutError(`no response within ${timeoutMs} ms`);
      return new ConnectionFailedError(`the connection failed: ${reasonOf(error)}`, { cause: error });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }
}

/** Tells the body of a success from that of a proxy in between. */
const isBody = <Id extends OperationId>(parsed: unknown): parsed is BodyOf<Id> =>
  isObject(parsed) &&
  'payload' in parsed &&
  isObject(parsed.meta) &&
  (!('paging' in parsed) || isPaging(parsed.paging));

const isPaging = (paging: unknown): boolean =>
  isObject(paging) && (paging.next_cursor === null || typeof paging.next_cursor === 'string');

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Returns the value of a JSON text, or the text itself if it is something else. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns why `fetch` failed; Node.js says it in the cause. */
const reasonOf = (error: unknown): string => {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
};
