import type { Cost } from '../../receipts/prices.js';
import type { RequestContext } from '../request-context.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** An answer as it is written: `LeanExpressAdapter.reply` takes it. */
export class Reply {
  /** @param headers names and values in turn @param body null for none */
  constructor(
    readonly status: number,
    readonly headers: string[],
    readonly body: Buffer | null,
  ) {}
}

/** What a request is answered with, before it is priced and recorded. */
export interface Outcome {
  readonly status: number;
  readonly body: Buffer | null;
  readonly headers: readonly string[];
  readonly itemsReturned: number;
  /** The status whose price it has, where that is not its own: a 304 to `If-None-Match: *` costs what HEAD does. */
  readonly pricedAs?: number;
}

/** A page that needs no key: it is about this moment, so nobody keeps it. */
export function openReply(
  { requestId }: RequestContext,
  { status, body, headers }: Outcome,
  type: string = JSON_TYPE,
): Reply {
  const own = ['X-Request-Id', requestId, 'Cache-Control', 'no-store', ...headers];
  return new Reply(status, [...own, ...bodyHeaders(body, type)], body);
}

/** An answer of the API: what it cost, and the caller's minute where a valid key was given. */
export function replyOf(context: RequestContext, { status, body, headers: own }: Outcome, cost: Cost): Reply {
  const { requestId, minute, caller } = context;
  const headers = [
    'X-Request-Id',
    requestId,
    'Cache-Control',
    'private, no-cache',
    'Vary',
    'Accept-Encoding, x-api-key',
  ];
  headers.push(...bodyHeaders(body, JSON_TYPE));
  if (minute !== null) {
    headers.push('X-RateLimit-minute-limit', String(minute.limit));
    headers.push('X-RateLimit-minute-remaining', String(minute.remaining));
    headers.push('X-RateLimit-minute-reset', String(minute.resetSeconds));
  }
  if (caller !== null) headers.push('X-Quota-Units', String(cost.quotaUnits), 'X-Credits', String(cost.credits));
  headers.push(...own);
  return new Reply(status, headers, body);
}

function bodyHeaders(body: Buffer | null, type: string): readonly string[] {
  if (body === null) return [];
  const length = String(body.length);
  return ['Content-Type', type, 'Content-Length', length, 'X-Content-Type-Options', 'nosniff'];
}
