import { randomUUID } from 'node:crypto';
import type { Platform } from './platforms.js';
import type { Operation } from './operation.js';

/** The holder of a valid key. */
export interface Caller {
  readonly keyId: string;
  /** Requests a minute. */
  readonly rateLimit: number;
}

/** The state of a caller's minute after this request was counted. */
export interface MinuteWindow {
  readonly limit: number;
  readonly remaining: number;
  /** UNIX seconds at which the window ends. */
  readonly resetSeconds: number;
}

/** What one request is, costs and returned: filled in on its way, read once by the receipt. */
export class RequestContext {
  readonly requestId = randomUUID();
  readonly startedAt = performance.now();
  operation: Operation | null = null;
  platform: Platform | null = null;
  /** Set once the key is known to be valid. */
  caller: Caller | null = null;
  minute: MinuteWindow | null = null;
  /** The path has a percent-encoding that is none; such a request matches no route. */
  malformedPath = false;
  /** What the request asks for, in items: what it costs is known as soon as it is valid. 0: not (yet) valid. */
  itemsAskedFor = 0;

  /** @param receivedAt milliseconds since 1970 */
  constructor(readonly receivedAt: number) {}

  /** `meta.received_at`: when the service received the request. */
  get receivedAtText(): string {
    return new Date(this.receivedAt).toISOString();
  }
}
