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

/** Makes a reply that has no price: of a page without a key, or of a message to `/mcp`. It is not cached. */
export function openReply(
  context: RequestContext,
  { status, body, headers }: Outcome,
  type: string = JSON_TYPE,
): Reply {
  const own = ['X-Request-Id', context.requestId, 'Cache-Control', 'no-store', ...headers];
  return new Reply(status, [...own, ...bodyHeaders(body, type), ...minuteHeaders(context)], body);
}

/** An answer of the API: what it cost, and the caller's minute where a valid key was given. */
export function replyOf(context: RequestContext, { status, body, headers: own }: Outcome, cost: Cost): Reply {
  const { requestId, caller } = context;
  const headers = [
    'X-Request-Id',
    requestId,
    'Cache-Control',
    'private, no-cache',
    'Vary',
    'Accept-Encoding, x-api-key',
  ];
  headers.push(...bodyHeaders(body, JSON_TYPE));
  headers.push(...minuteHeaders(context));
  if (caller !== null) headers.push('X-Quota-Units', String(cost.quotaUnits), 'X-Credits', String(cost.credits));
  headers.push(...own);
  return new Reply(status, headers, body);
}

/** The state of the caller's minute, where the request was counted. */
export const minuteHeaders = ({ minute }: Pick<RequestContext, 'minute'>): readonly string[] =>
  minute === null
    ? []
    : [
        'X-RateLimit-minute-limit',
        String(minute.limit),
        'X-RateLimit-minute-remaining',
        String(minute.remaining),
        'X-RateLimit-minute-reset',
        String(minute.resetSeconds),
      ];

function bodyHeaders(body: Buffer | null, type: string): readonly string[] {
  if (body === null) return [];
  const length = String(body.length);
  return ['Content-Type', type, 'Content-Length', length, 'X-Content-Type-Options', 'nosniff'];
}
