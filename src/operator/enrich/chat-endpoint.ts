import type { EnrichSettings } from './enrich-settings.js';
import { redactionOf, type Redaction } from './redaction.js';
import { parseRetryAfter, readError, parseChatReply, type ChatReply, type EndpointError } from './chat-reply.js';

/** Maximum length of an answer. A longer one is cut off, and counts as lost. */
const MAX_REPLY_BYTES = 8 * 1024 * 1024;

/**
 * Outcome of one request. `reply`: an answer that is charged by its usage. `rejected`: the endpoint did no work, so it is free. `lost`:
 * the endpoint may have done the work, so it counts as charged in full. `unsent`: no connection, or no valid certificate, so it is free.
 */
export type CallOutcome =
  | { readonly kind: 'reply'; readonly reply: ChatReply }
  | {
      readonly kind: 'rejected';
      readonly status: number;
      readonly error: EndpointError;
      readonly retryAfterMs: number | null;
    }
  | { readonly kind: 'lost'; readonly reason: string }
  | { readonly kind: 'unsent'; readonly reason: string };

/** Errors before a request is sent. */
const UNSENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
]);

/** Errors of TLS and of certificates. They come before the request is sent. */
const TLS_ERROR = /^(?:CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_(?:GET|VERIFY)_)/;

export const isUnsent = (code: string): boolean => UNSENT.has(code) || TLS_ERROR.test(code);

/** An endpoint of the chat-completions protocol. Its key leaves this object in the header of a request only. */
export class ChatEndpoint {
  /** Removes the key from texts that the endpoint sent. */
  readonly redaction: Redaction;

  constructor(
    private readonly settings: Pick<EnrichSettings, 'baseUrl' | 'apiKey'>,
    private readonly timeoutMs: number,
  ) {
    this.redaction = redactionOf(settings.apiKey);
  }

  /** Sends one request, without retries. @param body JSON */
  async complete(body: string): Promise<CallOutcome> {
    return this.send(
      '/chat/completions',
      { method: 'POST', body, headers: { 'content-type': 'application/json' } },
      (text) => ({
        kind: 'reply',
        reply: parseChatReply(text, this.redaction),
      }),
    );
  }

  /** Sends a request. @param onSuccess reads the body of a successful reply */
  async send<T>(
    path: string,
    init: RequestInit,
    onSuccess: (body: string) => T,
    maxBytes = MAX_REPLY_BYTES,
  ): Promise<T | Exclude<CallOutcome, { kind: 'reply' }>> {
    const { baseUrl, apiKey } = this.settings;
    const headers = new Headers(init.headers);
    if (apiKey !== null) headers.set('authorization', `Bearer ${apiKey}`);
    let response: Response;
    let text: string | null;
    try {
      const signal = AbortSignal.timeout(this.timeoutMs);
      // A redirect could send the key and the creators' data elsewhere.
      response = await fetch(`${baseUrl}${path}`, { ...init, headers, signal, redirect: 'manual' });
      text = await readBody(response, maxBytes);
    } catch (error) {
      return this.#describe(error as FetchError);
    }
    const { status } = response;
    if (response.ok) return text === null ? { kind: 'lost', reason: 'a reply that is too long' } : onSuccess(text);
    if (isLoss(status)) return { kind: 'lost', reason: `status ${status}` };
    const error = readError(text ?? '', this.redaction);
    const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), Date.now());
    return { kind: 'rejected', status, error, retryAfterMs };
  }

  #describe(error: FetchError): Extract<CallOutcome, { reason: string }> {
    if (error.name === 'TimeoutError') return { kind: 'lost', reason: `no answer within ${this.timeoutMs / 1000} s` };
    const code = codeOf(error);
    if (isUnsent(code)) return { kind: 'unsent', reason: code };
    return { kind: 'lost', reason: code === '' ? 'the connection was cut' : code };
  }
}

/** Statuses of gateways that gave up waiting: 408, 499 and 5xx. The model may have worked. */
const isLoss = (status: number): boolean => [408, 499].includes(status) || (status >= 500 && status !== 501);

/** Reads a body. @returns null if it is too long */
async function readBody(response: Response, maxBytes: number): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** What errors of `fetch` may have. */
interface FetchError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly cause?: FetchError;
  readonly errors?: readonly FetchError[];
}

/** Returns the code of an error or of its causes; empty if none has one. */
function codeOf({ code, cause, errors }: FetchError): string {
  // The code of an abort is a number.
  if (typeof code === 'string') return code;
  const next = cause ?? errors?.[0];
  return next === undefined ? '' : codeOf(next);
}
