import type { ApiAnswer, ApiCall } from './api-server.js';

/** Tokens of an application by client credentials, as Twitch issues them for Helix and IGDB. */
export class ApplicationTokens {
  readonly clientId = 'client-0123456789';
  readonly clientSecret = 'SECRET-of-the-application';
  /** Tokens that were issued, oldest first. */
  readonly issued: string[] = [];
  lifetimeMs = 60 * 86_400_000;
  readonly #expiresAt = new Map<string, number>();

  /** Answers `POST /oauth2/token`. The members may be in the body or in the URL. */
  issue({ method, query, body }: ApiCall, now: number): ApiAnswer {
    const form = new URLSearchParams([...query, ...new URLSearchParams(body)]);
    if (method !== 'POST' || form.get('grant_type') !== 'client_credentials')
      return { status: 400, body: { status: 400, message: 'missing grant type' } };
    if (form.get('client_id') !== this.clientId)
      return { status: 400, body: { status: 400, message: 'invalid client' } };
    if (form.get('client_secret') !== this.clientSecret)
      return { status: 403, body: { status: 403, message: 'invalid client secret' } };
    const access_token = `TOKEN-${this.issued.length}-${Math.random().toString(36).slice(2)}`;
    this.issued.push(access_token);
    this.#expiresAt.set(access_token, now + this.lifetimeMs);
    return { status: 200, body: { access_token, expires_in: this.lifetimeMs / 1000, token_type: 'bearer' } };
  }

  /** Reports whether a request has a valid token and the client that it was issued to. */
  accepts({ headers }: ApiCall, now: number): boolean {
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    return headers['client-id'] === this.clientId && (this.#expiresAt.get(token) ?? 0) > now;
  }

  /** Expires all tokens. */
  expire(): void {
    this.#expiresAt.clear();
  }
}
