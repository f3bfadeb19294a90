import { Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { ThrottlerGuard } from '@nestjs/throttler';
import { limitExceeded } from '../../http/api-error.js';
import type { ApiRequest } from '../../http/lean-express.adapter.js';
import { CLOCK, type Clock } from '../../model/clock.js';
import { MINUTE_MS } from './minute-counters.js';

/**
 * Second stop: one counter a key, across all endpoints. The throttler's own way counts per handler and address, and
 * looks its options up again for every request, so the one step that counts is replaced.
 */
@Injectable()
export class MinuteLimitGuard extends ThrottlerGuard {
  @Inject(CLOCK)
  private readonly clock: Clock;

  override async canActivate(execution: ExecutionContext): Promise<boolean> {
    const { context } = execution.switchToHttp().getRequest<ApiRequest>();
    if (context.caller === null) return true;
    const { keyId, rateLimit } = context.caller;
    const count = await this.storageService.increment(keyId, MINUTE_MS, rateLimit, 0, 'minute');
    // Set before the decision, so that 200 and 429 both tell.
    context.minute = {
      limit: rateLimit,
      remaining: Math.max(0, rateLimit - count.totalHits),
      // From now, not from when the request came: a client that waits until then must find the minute over.
      resetSeconds: Math.ceil((this.clock.now() + count.timeToExpire) / 1000),
    };
    if (count.isBlocked) throw limitExceeded(count.timeToBlockExpire / 1000);
    return true;
  }
}
