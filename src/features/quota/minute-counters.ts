import type { ThrottlerStorage } from '@nestjs/throttler';

export const MINUTE_MS = 60_000;

/** State of a counter after a hit. The members are the throttler's, but times are in milliseconds instead of its seconds. */
export type HitCount = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** Counts hits per name in fixed windows, such as requests of a key or failures of an address. The first hit starts a window. */
export abstract class MinuteCounters implements ThrottlerStorage {
  /** Counts a hit. @param windowMs length of the window @param limit hits allowed per window */
  abstract increment(key: string, windowMs: number, limit: number): Promise<HitCount>;
  /** Whether the shared store of the counters is reachable; null if counters are not shared. */
  abstract get isSharedStoreReachable(): boolean | null;
  /** Asks the shared store whether it is reachable; null if counters are not shared. */
  abstract checkSharedStore(): Promise<boolean | null>;
  abstract close(): void;
}

/** Creates the state of a counter. @param remainingMs time until the window ends */
export function hitCount(hits: number, limit: number, remainingMs: number): HitCount {
  const isBlocked = hits > limit;
  return { totalHits: hits, timeToExpire: remainingMs, isBlocked, timeToBlockExpire: isBlocked ? remainingMs : 0 };
}
