import type { ThrottlerStorage } from '@nestjs/throttler';

export const MINUTE_MS = 60_000;

/** What a counter says after a hit; the shape is the throttler's. */
export type HitCount = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** Counts a key's requests in fixed windows: a minute from the first request in it. */
export abstract class MinuteCounters implements ThrottlerStorage {
  /** Counts a request. @param windowMs length of a window @param limit requests of a window */
  abstract increment(key: string, windowMs: number, limit: number): Promise<HitCount>;
  /** Whether the store that processes share the counters in can be reached; null where there is none. */
  abstract get isShared(): boolean | null;
  abstract close(): void;
}

/** @param remainingMs until the window ends */
export function hitCount(hits: number, limit: number, remainingMs: number): HitCount {
  const isBlocked = hits > limit;
  return { totalHits: hits, timeToExpire: remainingMs, isBlocked, timeToBlockExpire: isBlocked ? remainingMs : 0 };
}
