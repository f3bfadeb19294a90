import type { CountedResponse } from './counted-response.js';
import { clientClosed, overloaded, type ApiError } from '../errors/api-error.js';
import { ConcurrencyLimit, type ConcurrencyLimits } from './concurrency-limit.js';

export const IN_FLIGHT_LIMITS: ConcurrencyLimits = {
  maxInFlight: 1024,
  maxWaitMs: 1000,
  overloadLatencyMs: 100,
  minInFlight: 512,
};

/** Interval at which waiting requests start, if a slot was released meanwhile, or are rejected after waiting too long. */
const POLL_MS = 50;

/** How long a rejection counts as the current state of the process, for health checks. */
const RECENT_MS = 5000;

interface WaitingRequest {
  readonly response: CountedResponse;
  readonly sinceMs: number;
  readonly start: () => void;
  readonly reject: (reason: ApiError) => void;
}

/** Counts requests in flight, and queues those beyond the limit. Only this class starts and ends requests in flight. */
export class InFlight {
  #count = 0;
  #rejected = 0;
  #rejectedAt = -Infinity;
  readonly #waiting: WaitingRequest[] = [];
  readonly #limit: ConcurrencyLimit;

  constructor(limits = IN_FLIGHT_LIMITS) {
    this.#limit = new ConcurrencyLimit(limits);
  }

  get count(): number {
    return this.#count;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Requests rejected since the start of the process because they found no slot in time. */
  get rejected(): number {
    return this.#rejected;
  }

  get hasRecentRejection(): boolean {
    return performance.now() - this.#rejectedAt < RECENT_MS;
  }

  get hasRoom(): boolean {
    return this.#limit.admits(this.#count);
  }

  /** Starts a request as soon as there is room; rejects it if that takes too long. */
  begin(response: CountedResponse, start: () => void, reject: (reason: ApiError) => void): void {
    if (this.hasRoom) {
      this.markInFlight(response);
      start();
      return;
    }
    if (this.#waiting.push({ response, sinceMs: performance.now(), start, reject }) === 1) this.#schedulePoll();
  }

  /** Counts a request as in flight, whether there is room or not. */
  markInFlight(response: CountedResponse): void {
    response.isInFlight = true;
    this.#count += 1;
  }

  /** Ends a request that was answered, or whose client is gone. Repeated calls change nothing. */
  end(response: CountedResponse): void {
    if (response.isInFlight) {
      this.#limit.recordAnswer(this.#count);
      this.pause(response);
    }
    if (this.#waiting.length > 0) this.#startWaiting();
  }

  /** Releases a request's slot while it waits for its client. */
  pause(response: CountedResponse): void {
    if (!response.isInFlight) return;
    response.isInFlight = false;
    this.#count -= 1;
  }

  /** Resolves once a paused request has a slot again. @throws ApiError if that takes too long */
  resume(response: CountedResponse): Promise<void> {
    return new Promise((resolve, reject) => this.begin(response, resolve, reject));
  }

  sample(): void {
    this.#limit.sample();
  }

  #startWaiting(): void {
    while (this.#waiting.length > 0 && this.hasRoom) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      if (next.response.socket?.destroyed !== false) {
        next.reject(clientClosed());
        continue;
      }
      this.markInFlight(next.response);
      next.start();
    }
  }

  #rejectExpired(): void {
    const before = performance.now() - this.#limit.maxWaitMs;
    const firstUnexpired = this.#waiting.findIndex(({ sinceMs }) => sinceMs > before);
    const expired = this.#waiting.splice(0, firstUnexpired < 0 ? this.#waiting.length : firstUnexpired);
    if (expired.length === 0) return;
    this.#rejected += expired.length;
    this.#rejectedAt = performance.now();
    for (const { response, reject } of expired) {
      reject(response.socket?.destroyed === false ? overloaded() : clientClosed());
    }
  }

  #schedulePoll(): void {
    setTimeout(() => {
      this.#startWaiting();
      this.#rejectExpired();
      if (this.#waiting.length > 0) this.#schedulePoll();
    }, POLL_MS);
  }
}
