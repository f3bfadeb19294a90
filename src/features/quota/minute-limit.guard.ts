import { Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerLimitDetail, type ThrottlerRequest } from '@nestjs/throttler';
import { limitExceeded } from '../../http/api-error.js';
import { contextOf, type ApiRequest } from '../../http/api-request.js';
import { Clock } from '../../model/clock.js';

/** Second stop: one counter a key, across all endpoints; the throttler's own way counts by handler and address. */
@Injectable()
export class MinuteLimitGuard extends ThrottlerGuard {
  @Inject(Clock)
  private readonly clock: Clock;

  protected override async shouldSkip(execution: ExecutionContext): Promise<boolean> {
    return contextOf(execution).caller === null;
  }

  protected override async getTracker({ context }: ApiRequest): Promise<string> {
    return context.caller?.keyId ?? '';
  }

  protected override generateKey(_execution: ExecutionContext, tracker: string): string {
    return tracker;
  }

  /** Counts the request, and notes the window before the decision, so that 200 and 429 both tell of it. In place of the
   * library's own, whose hooks are told the window only when it refuses; otherwise it is in three headers, as text. */
  protected override async handleRequest(request: ThrottlerRequest): Promise<boolean> {
    const { context: execution, limit, ttl, blockDuration, throttler } = request;
    const tracker = await request.getTracker(execution.switchToHttp().getRequest(), execution);
    const key = request.generateKey(execution, tracker, String(throttler.name));
    const count = await this.storageService.increment(key, ttl, limit, blockDuration, String(throttler.name));
    contextOf(execution).minute = {
      limit,
      remaining: Math.max(0, limit - count.totalHits),
      // Counted from now: a client that waits until then must find a new window.
      resetSeconds: Math.ceil((this.clock.now() + count.timeToExpire) / 1000),
    };
    if (count.isBlocked) await this.throwThrottlingException(execution, { limit, ttl, key, tracker, ...count });
    return true;
  }

  protected override async throwThrottlingException(
    _execution: ExecutionContext,
    { timeToBlockExpire }: ThrottlerLimitDetail,
  ): Promise<void> {
    throw limitExceeded(timeToBlockExpire / 1000);
  }
}
