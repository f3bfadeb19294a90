import { isObject } from '../../sources/json-object.js';
import { parseApiReply, type ApiReply } from './api-reply.js';
import type { PlatformRequest } from './collect-platform.js';
import type { CollectSource } from './collect-source.js';
import { credentialNames, type ApiAccess } from './collect-settings.js';
import { OperatorError } from '../operator-error.js';

/** Time limit of a call. */
export const CALL_TIMEOUT_MS = 30_000;

/** Decompressed bytes of an answer. The longest of these calls have less than one MiB. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** Characters that a header can hold. An error about others would repeat the token. */
const TOKEN = /^[!-~]{1,4096}$/;

type FetchInit = Parameters<typeof fetch>[1];

/** Sends calls to the API of one source. It neither retries nor waits. */
export class ApiClient {
  /** Token of the application; kept in memory only. */
  #token: string | null = null;

  /** @param now returns milliseconds since 1970 */
  constructor(
    private readonly source: CollectSource,
    private readonly access: ApiAccess,
    private readonly now: () => number,
  ) {}

  /** Whether an expired token can be replaced. */
  get canRenew(): boolean {
    return this.access.credentials.kind === 'application';
  }

  /** Discards the token, so that the next call gets a fresh one. */
  discardToken(): void {
    this.#token = null;
  }

  /** Sends a call. @throws OperatorError if the credentials are invalid */
  async send({ method, path, query, body }: PlatformRequest): Promise<ApiReply> {
    const headers = await this.#authenticate();
    if (!(headers instanceof Headers)) return headers;
    const search = query.length === 0 ? '' : `?${new URLSearchParams(query.map(([...pair]) => pair)).toString()}`;
    return this.#fetch(`${this.access.url}${path}${search}`, { method, headers, body: body ?? null });
  }

  /** Returns the headers of a call; a reply if no token is to be had now. */
  async #authenticate(): Promise<Headers | ApiReply> {
    const { credentials } = this.access;
    const headers = new Headers({ accept: 'application/json' });
    // In a header, not in the URL: proxies and servers log URLs.
    if (credentials.kind === 'key') headers.set('x-goog-api-key', credentials.key);
    if (credentials.kind !== 'application') return headers;
    if (this.#token === null) {
      const { id, secret, tokenUrl } = credentials;
      const form = { client_id: id, client_secret: secret, grant_type: 'client_credentials' };
      const reply = await this.#fetch(tokenUrl, { method: 'POST', body: new URLSearchParams(form) });
      if (['unauthorized', 'rejected', 'not_found'].includes(reply.kind)) throw rejectedCredentials(this.source);
      if (reply.kind !== 'answer') return reply;
      const token = isObject(reply.body) ? reply.body.access_token : undefined;
      if (typeof token !== 'string' || !TOKEN.test(token))
        return { kind: 'unavailable', reason: 'the answer has no valid token' };
      this.#token = token;
    }
    headers.set('client-id', credentials.id);
    headers.set('authorization', `Bearer ${this.#token}`);
    return headers;
  }

  async #fetch(url: string, init: FetchInit): Promise<ApiReply> {
    try {
      const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
      // Following a redirect would take the credentials to another host.
      const response = await fetch(url, { ...init, signal, redirect: 'manual' });
      return parseApiReply(response.status, response.headers, await readText(response), this.now());
    } catch (error) {
      return { kind: 'unavailable', reason: reasonOf(error) };
    }
  }
}

/** The platform rejects the credentials. Its own message is left out: it may repeat them. */
export const rejectedCredentials = (source: CollectSource): OperatorError =>
  new OperatorError(
    'invalid_setting',
    `${source} rejects the credentials: correct ${credentialNames(source) || 'its address'}`,
  );

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Returns a reason without an address. `fetch` puts the system's error into `cause`. */
function reasonOf(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: unknown } };
  if (name === 'TimeoutError') return 'timed out';
  return typeof cause?.code === 'string' ? cause.code : 'the connection was cut';
}
