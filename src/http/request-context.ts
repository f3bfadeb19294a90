import { randomUUID } from 'node:crypto';
import type { Platform } from '../model/platforms.js';
import type { MonthAllowance } from '../receipts/allowances.js';
import type { ArrivalSecond } from '../receipts/arrivals.js';
import type { EndpointRules } from './envelope/endpoint-rules.js';
import type { ApiError } from './errors/api-error.js';
import type { EndTurn } from './traffic/read-turns.js';

export interface Caller {
  readonly keyId: string;
  /** Requests per minute. */
  readonly rateLimit: number;
  /** Members that the key's policy hides; null for none. */
  readonly hiddenMembers: ReadonlySet<string> | null;
  /** Null for a key without month allowance. */
  readonly allowance: MonthAllowance | null;
  readonly isTest: boolean;
}

/** A caller's minute window after this request was counted. */
interface MinuteWindow {
  readonly limit: number;
  readonly remaining: number;
  /** UNIX seconds at which the window ends. */
  readonly resetSeconds: number;
}

/** Answer that a test key asks for instead of the real one. */
export interface ForcedAnswer {
  readonly name: 'error' | 'slow' | 'nulls';
  /** Takes the place of a successful answer or a 404; null for an answer with data. */
  readonly error: ApiError | null;
}

/** State of a request: set by the guards, read by the envelope and the usage record. */
export class RequestContext {
  readonly requestId = randomUUID();
  readonly startedAt = performance.now();
  /** Null before the first guard, and for pages that need no key. */
  endpoint: EndpointRules | null = null;
  platform: Platform | null = null;
  /** Set by the key guard; null without a valid key. */
  caller: Caller | null = null;
  /** Whether the key is a test key. Like `unsentKeyId`, it is also set for messages to `/mcp`. */
  isTest = false;
  forced: ForcedAnswer | null = null;
  /** Key whose unread bytes include this response. Set for messages to `/mcp`, too, which have no `caller`. */
  unsentKeyId: string | null = null;
  minute: MinuteWindow | null = null;
  /** Keeps the request's day open for exports until its record is passed to the recorder, or none is due. */
  arrival: ArrivalSecond | null = null;
  /** Ends the key's turn to read many records; null if the request has none. */
  endTurn: EndTurn | null = null;
  /** Whether the store failed while the key was looked up. */
  isKeyUnchecked = false;
  /** Whether the request was priced and recorded; this must not happen twice. */
  isSettled = false;

  /** @param receivedAt milliseconds since 1970 */
  constructor(readonly receivedAt: number) {}

  /** Ends the arrival: the record was passed to the recorder, or none is due. */
  endArrival(): void {
    this.arrival?.end();
    this.arrival = null;
  }

  /** Ends the turn, if the request has one. @param bytes size of the answer */
  leaveTurn(bytes = 0): void {
    this.endTurn?.(bytes);
    this.endTurn = null;
  }

  get receivedAtText(): string {
    return new Date(this.receivedAt).toISOString();
  }
}
