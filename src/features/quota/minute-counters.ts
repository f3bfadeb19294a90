import { Injectable } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import type { Clock } from '../../model/clock.js';

/** The window of the allowance. */
export const MINUTE_MS = 60_000;

/** What a counter says after a hit; the shape is the throttler's. */
export type HitCount = Awaited<ReturnType<ThrottlerStorage['increment']>>;

interface Window {
  hits: number;
  endsAt: number;
}

/** Fixed windows in the memory of this process: a minute from the first request in it. */
@Injectable()
export class ProcessCounters implements ThrottlerStorage {
  readonly #windows = new Map<string, Window>();
  #sweepAt = 0;

  constructor(private readonly clock: Clock) {}

  async increment(key: string, ttl: number, limit: number): Promise<HitCount> {
    return this.hit(key, ttl, limit);
  }

  hit(key: string, windowMs: number, limit: number): HitCount {
    const now = this.clock.now();
    this.#sweep(now, windowMs);
    let window = this.#windows.get(key);
    if (window === undefined) this.#windows.set(key, (window = { hits: 0, endsAt: 0 }));
    if (window.endsAt <= now) {
      window.hits = 0;
      window.endsAt = now + windowMs;
    }
    window.hits += 1;
    return hitCount(window.hits, limit, window.endsAt - now);
  }

  /** Forgets ended windows now and then, without a timer. */
  #sweep(now: number, windowMs: number): void {
    if (now < this.#sweepAt) return;
    this.#sweepAt = now + windowMs;
    for (const [key, window] of this.#windows) if (window.endsAt <= now) this.#windows.delete(key);
  }
}

/** @param remainingMs until the window ends */
export function hitCount(hits: number, limit: number, remainingMs: number): HitCount {
  const isBlocked = hits > limit;
  return { totalHits: hits, timeToExpire: remainingMs, isBlocked, timeToBlockExpire: isBlocked ? remainingMs : 0 };
}
