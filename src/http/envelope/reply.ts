import { nextMonthSeconds, type AllowanceCheck, type MonthAllowance } from '../../receipts/allowances.js';
import type { Cost } from '../../receipts/prices.js';
import type { RequestContext } from '../request-context.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Response that `LeanExpressAdapter.reply` writes without Express. */
export class Reply {
  /** @param headers alternating names and values @param body null for none */
  constructor(
    readonly status: number,
    readonly headers: string[],
    readonly body: Buffer | null,
  ) {}
}

/** Response to a request before it is priced and recorded. */
export interface Outcome {
  readonly status: number;
  readonly body: Buffer | null;
  readonly headers: readonly string[];
  readonly itemsReturned: number;
  /** Status to price the response by, if not its own: a 304 to `If-None-Match: *` costs the same as HEAD. */
  readonly pricedAs?: number;
  /** Cost of a GET, if the response is not priced by its operation. */
  readonly cost?: Cost;
  /** Shorter forms, longest first, of which the first that fits is sent if the response does not fit into the month allowance. */
  readonly shorter?: readonly ShorterOutcome[];
}

/** Shorter form of a response, created only if it is sent. */
export interface ShorterOutcome {
  readonly itemsReturned: number;
  readonly cost: Cost;
  readonly create: () => Outcome;
}

/** Creates a reply without a price, for pages without a key and messages to `/mcp`. Clients must not store it. */
export function createUnpricedReply(
  context: RequestContext,
  { status, body, headers }: Outcome,
  type: string = JSON_TYPE,
): Reply {
  const own = ['X-Request-Id', context.requestId, 'Cache-Control', 'no-store', ...headers];
  return new Reply(
    status,
    [...own, ...bodyHeaders(body, type), ...minuteHeaders(context), ...testHeaders(context)],
    body,
  );
}

/** @param allowanceCheck what the month of a key with an allowance has left */
export function createReply(
  context: RequestContext,
  { status, body, headers: own }: Outcome,
  cost: Cost,
  allowanceCheck: AllowanceCheck | null,
): Reply {
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
  if (caller !== null && caller.allowance !== null) {
    addAllowanceHeaders(headers, caller.allowance, allowanceCheck?.used ?? null, context.receivedAt);
  }
  headers.push(...testHeaders(context));
  headers.push(...own);
  return new Reply(status, headers, body);
}

/** Returns the headers of the caller's minute; none if the request was not counted. */
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

/** @param used usage of the month after the request; null if the store did not tell */
function addAllowanceHeaders(
  headers: string[],
  { monthUnits, monthCredits }: MonthAllowance,
  used: Cost | null,
  receivedAt: number,
): void {
  if (monthUnits !== null) {
    headers.push('X-Quota-Units-Limit', String(monthUnits));
    if (used !== null) headers.push('X-Quota-Units-Remaining', String(Math.max(0, monthUnits - used.quotaUnits)));
  }
  if (monthCredits !== null) {
    headers.push('X-Credits-Limit', String(monthCredits));
    if (used !== null) headers.push('X-Credits-Remaining', String(Math.max(0, monthCredits - used.credits)));
  }
  headers.push('X-Allowance-Reset', String(nextMonthSeconds(receivedAt)));
}

const NO_HEADERS: readonly string[] = [];
const TEST_HEADERS: readonly string[] = ['X-Test-Mode', 'true'];

const testHeaders = ({ isTest }: RequestContext): readonly string[] => (isTest ? TEST_HEADERS : NO_HEADERS);

function bodyHeaders(body: Buffer | null, type: string): readonly string[] {
  if (body === null) return [];
  const length = String(body.length);
  return ['Content-Type', type, 'Content-Length', length, 'X-Content-Type-Options', 'nosniff'];
}
