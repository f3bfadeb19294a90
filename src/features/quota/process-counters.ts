import { Clock } from '../../model/clock.js';
import { hitCount, MinuteCounters, type HitCount } from './minute-counters.js';

interface Window {
  hits: number;
  endsAt: number;
}

export class ProcessCounters extends MinuteCounters {
  readonly isShared = null;
  readonly #windows = new Map<string, Window>();
  #sweepAt = -Infinity;

  constructor(private readonly clock: Clock) {
    super();
  }

  async increment(key: string, windowMs: number, limit: number): Promise<HitCount> {
    return this.hit(key, windowMs, limit);
  }

  /** Windows in memory, ended ones among them until they are swept away. */
  get size(): number {
    return this.#windows.size;
  }

  close(): void {
    this.#windows.clear();
  }

  hit(key: string, windowMs: number, limit: number): HitCount {
    // Not the time of day: set back by an hour, it would block for an hour.
    const now = this.clock.elapsed();
    this.#sweep(now, windowMs);
    let window = this.#windows.get(key);
    if (window === undefined || window.endsAt <= now) {
      this.#windows.set(key, (window = { hits: 0, endsAt: now + windowMs }));
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
