import { Clock } from '../../model/clock.js';
import { hitCount, MinuteCounters, type HitCount } from './minute-counters.js';

interface CounterWindow {
  hits: number;
  endsAt: number;
}

/** Counters in the memory of one process. */
export class ProcessCounters extends MinuteCounters {
  readonly isSharedStoreReachable = null;
  readonly #windows = new Map<string, CounterWindow>();
  #nextRemovalAt = -Infinity;

  constructor(private readonly clock: Clock) {
    super();
  }

  async increment(key: string, windowMs: number, limit: number): Promise<HitCount> {
    return this.hit(key, windowMs, limit);
  }

  /** Number of windows in memory, including expired ones that are not removed yet. */
  get size(): number {
    return this.#windows.size;
  }

  async checkSharedStore(): Promise<null> {
    return null;
  }

  close(): void {
    this.#windows.clear();
  }

  /** Counts a hit, synchronously. */
  hit(key: string, windowMs: number, limit: number): HitCount {
    // Not the wall clock: if it were set back by an hour, a window would last an hour longer.
    const now = this.clock.elapsed();
    this.#removeExpired(now, windowMs);
    let window = this.#windows.get(key);
    if (window === undefined || window.endsAt <= now) {
      this.#windows.set(key, (window = { hits: 0, endsAt: now + windowMs }));
    }
    window.hits += 1;
    return hitCount(window.hits, limit, window.endsAt - now);
  }

  /** Counts at least this many hits: those that all processes had counted when the shared store last answered. */
  raiseTo(key: string, hits: number, remainingMs: number): void {
    const now = this.clock.elapsed();
    this.#removeExpired(now, remainingMs);
    const window = this.#windows.get(key);
    if (window === undefined || window.endsAt <= now) this.#windows.set(key, { hits, endsAt: now + remainingMs });
    else if (hits > window.hits) window.hits = hits;
  }

  /** Removes expired windows once per window length, without a timer. */
  #removeExpired(now: number, windowMs: number): void {
    if (now < this.#nextRemovalAt) return;
    this.#nextRemovalAt = now + windowMs;
    for (const [key, window] of this.#windows) if (window.endsAt <= now) this.#windows.delete(key);
  }
}
