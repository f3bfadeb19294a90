import { isTooDeep } from '../../model/json-depth.js';
import { isObject } from '../../sources/json-object.js';

/** What a platform's answer means for the collector. */
export type ApiReply =
  | { readonly kind: 'answer'; readonly body: unknown }
  /** The credentials are invalid or expired, or do not allow what was asked for: `isForbidden` if it can be either. */
  | { readonly kind: 'unauthorized'; readonly isForbidden: boolean }
  /** Too many calls: none before this time, in milliseconds since 1970. */
  | { readonly kind: 'wait'; readonly until: number }
  /** The quota of the day is used up. */
  | { readonly kind: 'exhausted' }
  /** The platform is down, or the connection was cut. */
  | { readonly kind: 'unavailable'; readonly reason: string }
  /** The platform has nothing under this address (404). */
  | { readonly kind: 'not_found' }
  /** The platform cannot answer this call. */
  | { readonly kind: 'rejected'; readonly reason: string };

/** Wait after a 429 that does not say how long. */
const DEFAULT_WAIT_MS = 60_000;

/** A 429 that asks for no wait must not be followed by a call at once. */
const MIN_WAIT_MS = 1000;

/** A mistaken header must not stop collecting for years. */
const MAX_WAIT_MS = 86_400_000;

/** Reasons of Google that concern the key or its project, not what was asked for. */
const KEY_REASONS = [
  'API_KEY_INVALID',
  'API_KEY_SERVICE_BLOCKED',
  'API_KEY_IP_ADDRESS_BLOCKED',
  'API_KEY_HTTP_REFERRER_BLOCKED',
  'SERVICE_DISABLED',
  'CONSUMER_INVALID',
  'CONSUMER_SUSPENDED',
  'keyInvalid',
  'keyExpired',
  'accessNotConfigured',
  'ipRefererBlocked',
];
const QUOTA_REASONS = ['quotaExceeded', 'dailyLimitExceeded'];
const RATE_REASONS = ['rateLimitExceeded', 'userRateLimitExceeded'];

/** Reads an answer of any of the platforms. @param text the body @param now in milliseconds since 1970 */
export function parseApiReply(status: number, headers: Headers, text: string, now: number): ApiReply {
  // 3xx: redirects are not followed. 2xx: only 200 has an answer.
  if ((status < 400 && status !== 200) || status === 408 || status === 425 || status >= 500)
    return { kind: 'unavailable', reason: `HTTP ${status}` };
  const body = parseBody(text);
  if (status === 200) {
    if (body === undefined) return { kind: 'unavailable', reason: 'the answer is not JSON' };
    return isTooDeep(body)
      ? { kind: 'unavailable', reason: 'the answer is nested too deeply' }
      : { kind: 'answer', body };
  }
  const reasons = reasonsIn(body);
  const has = (known: readonly string[]) => reasons.some((reason) => known.includes(reason));
  if (has(QUOTA_REASONS)) return { kind: 'exhausted' };
  if (status === 429 || has(RATE_REASONS)) return { kind: 'wait', until: waitUntil(headers, now) };
  // IGDB answers 403 without a valid token.
  const isForbidden = status === 403 && reasons.length === 0;
  if (status === 401 || isForbidden || has(KEY_REASONS)) return { kind: 'unauthorized', isForbidden };
  return status === 404 ? { kind: 'not_found' } : { kind: 'rejected', reason: `HTTP ${status}` };
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns the reasons in an error of Google: of each error, and of its details. */
function reasonsIn(body: unknown): string[] {
  const error = isObject(body) ? body.error : undefined;
  if (!isObject(error)) return [];
  const all = [error.errors, error.details].flatMap((list): unknown[] => (Array.isArray(list) ? list : []));
  return all.flatMap((each) => (isObject(each) && typeof each.reason === 'string' ? [each.reason] : []));
}

/** Returns when a platform accepts calls again: after a second at least, and a day at most. */
function waitUntil(headers: Headers, now: number): number {
  const until = announcedTime(headers, now) ?? now + DEFAULT_WAIT_MS;
  return Math.min(Math.max(until, now + MIN_WAIT_MS), now + MAX_WAIT_MS);
}

/** Date of HTTP. `Date.parse` alone also takes `-5` and `1.5` for dates. */
const HTTP_DATE = /^[A-Z][a-z]{2,8}, .+ GMT$/;

/** Returns the time that `Retry-After` says in seconds or as a date, or Twitch's `Ratelimit-Reset`; null if neither does. */
function announcedTime(headers: Headers, now: number): number | null {
  const retryAfter = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(retryAfter)) return now + Number(retryAfter) * 1000;
  const date = HTTP_DATE.test(retryAfter) ? Date.parse(retryAfter) : NaN;
  if (!Number.isNaN(date)) return date;
  const reset = Number(headers.get('ratelimit-reset') ?? NaN) * 1000;
  return reset > now ? reset : null;
}
