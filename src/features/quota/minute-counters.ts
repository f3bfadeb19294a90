import type { ThrottlerStorage } from '@nestjs/throttler';

export const MINUTE_MS = 60_000;

/** What a counter says after a hit: the throttler's members, in milliseconds where its own storage has seconds. */
export type HitCount = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** Counts hits of a name in fixed windows: requests of a key, refusals of an address. A minute begins with its first hit. */
export abstract class MinuteCounters implements ThrottlerStorage {
  /** Counts a hit. @param windowMs length of a window @param limit hits of a window */
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
