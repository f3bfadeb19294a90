import { randomUUID } from 'node:crypto';
import type { Platform } from '../model/platforms.js';
import type { ApiError } from './api-error.js';
import type { Arrival } from '../receipts/arrivals.js';
import type { EndpointRules } from './envelope/endpoint-rules.js';

/** The holder of a valid key. */
export interface Caller {
  readonly keyId: string;
  /** Requests a minute. */
  readonly rateLimit: number;
  /** Members that answers to the key do not show; null for none. */
  readonly hiddenMembers: ReadonlySet<string> | null;
}

/** The state of a caller's minute after this request was counted. */
interface MinuteWindow {
  readonly limit: number;
  readonly remaining: number;
  /** UNIX seconds at which the window ends. */
  readonly resetSeconds: number;
}

/** What one request is: filled in by guards on its way, read by the envelope and the usage record. */
export class RequestContext {
  readonly requestId = randomUUID();
  readonly startedAt = performance.now();
  /** What was asked for; null for pages that need no key, and before the first guard. */
  endpoint: EndpointRules | null = null;
  platform: Platform | null = null;
  /** Set once the key is known to be valid. */
  caller: Caller | null = null;
  /** The key among whose unread responses this one counts. A message to `/mcp`, which has no record, has it without `caller`. */
  readerKeyId: string | null = null;
  minute: MinuteWindow | null = null;
  /** Set on a request that no endpoint may handle; a guard throws it behind key and minute limit. */
  rejection: ApiError | null = null;
  /** Keeps its day open until a record is handed over, or none is due. */
  arrival: Arrival | null = null;
  /** The store failed before it said whether the key is valid. */
  isKeyUnchecked = false;
  /** Priced and recorded, which must not happen to a request twice. */
  isSettled = false;

  /** @param receivedAt milliseconds since 1970 */
  constructor(readonly receivedAt: number) {}

  /** Lets its day end: its record was handed over, or none is due. */
  endArrival(): void {
    this.arrival?.end();
    this.arrival = null;
  }

  /** `meta.received_at`: when the service received the request. */
  get receivedAtText(): string {
    return new Date(this.receivedAt).toISOString();
  }
}
