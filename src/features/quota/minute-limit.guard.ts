import { Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerLimitDetail, type ThrottlerOptions } from '@nestjs/throttler';
import { limitExceeded } from '../../http/errors/api-error.js';
import { contextOf, type ApiResponse } from '../../http/api-request.js';
import type { Caller, RequestContext } from '../../http/request-context.js';
import { Clock } from '../../model/clock.js';
import { MINUTE_MS, MinuteCounters } from './minute-counters.js';

/** The only limit, over all endpoints. The guard replaces its number by that of the key. */
export const MINUTE_THROTTLER: ThrottlerOptions = { name: 'default', ttl: MINUTE_MS, limit: 0 };

/** Rejections in a window after which a key's further messages are rejected before they are read. */
const MAX_REJECTIONS = 20;

/** Rejected requests of a key in a window. */
interface Rejections {
  readonly count: number;
  readonly limit: number;
  /** End of the window, in the time of `Clock.elapsed`. */
  readonly endsAt: number;
}

/** Enforces the minute limit with one counter per key for all endpoints. The throttler's default counts per handler and address. */
@Injectable()
export class MinuteLimitGuard extends ThrottlerGuard {
  @Inject(Clock)
  private readonly clock: Clock;

  @Inject(MinuteCounters)
  private readonly counters: MinuteCounters;

  readonly #rejections = new Map<string, Rejections>();

  /** Counts a request of a caller. All endpoints share the limit of the key, so the throttler need not look for limits of a
   * handler or controller in their metadata, which takes a twentieth of a look-up. */
  override async canActivate(execution: ExecutionContext): Promise<boolean> {
    const { caller } = contextOf(execution);
    if (caller === null) return true;
    return this.handleRequest({
      context: execution,
      limit: caller.rateLimit,
      ttl: MINUTE_MS,
      blockDuration: MINUTE_MS,
      throttler: MINUTE_THROTTLER,
      getTracker: async () => caller.keyId,
      generateKey: (_execution, tracker) => tracker,
    });
  }

  /** Stores the window in the context instead of setting headers, so that later errors carry it, too. */
  protected override setResponseHeader({ req }: ApiResponse, name: string, value: number): void {
    const minute = req.context.minute ?? { limit: 0, remaining: 0, resetSeconds: 0 };
    if (name === 'X-RateLimit-Limit') req.context.minute = { ...minute, limit: value };
    if (name === 'X-RateLimit-Remaining') req.context.minute = { ...minute, remaining: value };
    if (name === 'X-RateLimit-Reset') req.context.minute = { ...minute, resetSeconds: this.#resetSeconds(value) };
  }

  protected override async throwThrottlingException(
    execution: ExecutionContext,
    { limit, timeToExpire, timeToBlockExpire }: ThrottlerLimitDetail,
  ): Promise<void> {
    const context = contextOf(execution);
    context.minute = { limit, remaining: 0, resetSeconds: this.#resetSeconds(timeToExpire) };
    if (context.caller !== null) this.#countRejection(context.caller, timeToExpire);
    throw limitExceeded('rate_limit_exceeded', timeToBlockExpire / 1000);
  }

  /** Counts a request that has no `@Endpoint`. @throws ApiError 429 */
  async count(context: RequestContext, caller: Caller): Promise<void> {
    const { keyId, rateLimit: limit } = caller;
    const { totalHits, timeToExpire, isBlocked } = await this.counters.increment(keyId, MINUTE_MS, limit);
    const resetSeconds = this.#resetSeconds(timeToExpire);
    context.minute = { limit, remaining: Math.max(0, limit - totalHits), resetSeconds };
    if (!isBlocked) return;
    this.#countRejection(caller, timeToExpire);
    throw limitExceeded('rate_limit_exceeded', timeToExpire / 1000);
  }

  /** Rejects a request of a key that continues far above its limit, without reading or counting it. @throws ApiError 429 */
  requireNotFlooding(context: RequestContext, { keyId, rateLimit: limit }: Caller): void {
    const rejections = this.#rejections.get(keyId);
    if (rejections === undefined) return;
    const remainingMs = rejections.endsAt - this.clock.elapsed();
    if (remainingMs <= 0 || rejections.limit !== limit) this.#rejections.delete(keyId);
    else if (rejections.count >= MAX_REJECTIONS) {
      context.minute = { limit, remaining: 0, resetSeconds: this.#resetSeconds(remainingMs) };
      throw limitExceeded('rate_limit_exceeded', remainingMs / 1000);
    }
  }

  #countRejection({ keyId, rateLimit: limit }: Caller, remainingMs: number): void {
    const now = this.clock.elapsed();
    const before = this.#rejections.get(keyId);
    const isSameWindow = before !== undefined && before.endsAt > now && before.limit === limit;
    this.#rejections.set(keyId, { count: isSameWindow ? before.count + 1 : 1, limit, endsAt: now + remainingMs });
  }

  /** Returns the Unix time in seconds at which the window ends, rounded up so that a client that waits for it gets a new one. */
  #resetSeconds(remainingMs: number): number {
    return Math.ceil((this.clock.now() + remainingMs) / 1000);
  }
}
