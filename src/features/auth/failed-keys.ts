import { Injectable } from '@nestjs/common';
import { Clock } from '../../model/clock.js';
import { MINUTE_MS, MinuteCounters } from '../quota/minute-counters.js';

/** Invalid keys that a network may send per minute before it is answered with 429. */
const FAILED_KEYS_PER_MINUTE = 30;

/** Maximum number of remembered networks and of rejected keys. The oldest are evicted, so an attack cannot fill the memory. */
const MAX_REMEMBERED = 20_000;

interface FailureWindow {
  count: number;
  endsAt: number;
}

/** Limits invalid keys per network (`networkOf`), across all processes if counters are shared. It also caches the hashes of
 * rejected keys: a revoked or replaced key never becomes valid again. */
@Injectable()
export class FailedKeys {
  readonly #windows = new Map<string, FailureWindow>();
  readonly #rejectedHashes = new Set<string>();

  constructor(
    private readonly clock: Clock,
    private readonly counters: MinuteCounters,
  ) {}

  /** Counts a failure. @returns seconds until the network may retry; null if it is below the limit */
  async countFailure(network: string): Promise<number | null> {
    const window = this.#currentWindow(network);
    let failures = (window.count += 1);
    // Above the limit the shared counter is not read again: its answer could not change before the window ends.
    if (this.counters.isSharedStoreReachable !== null && failures <= FAILED_KEYS_PER_MINUTE) {
      failures = await this.#countShared(network, window, failures);
    }
    return failures > FAILED_KEYS_PER_MINUTE ? (window.endsAt - this.clock.elapsed()) / 1000 : null;
  }

  #currentWindow(network: string): FailureWindow {
    const now = this.clock.elapsed();
    let window = this.#windows.get(network);
    if (window === undefined || window.endsAt <= now) {
      window = { count: 0, endsAt: now + MINUTE_MS };
      this.#windows.delete(network);
      this.#windows.set(network, window);
      evictOldest(this.#windows);
    }
    return window;
  }

  /** Counts a failure in the shared store. @returns the failures of all processes in this minute */
  async #countShared(network: string, window: FailureWindow, failures: number): Promise<number> {
    const key = `failed-keys:${network}`;
    const { totalHits, timeToExpire } = await this.counters.increment(key, MINUTE_MS, FAILED_KEYS_PER_MINUTE);
    if (totalHits > window.count) {
      window.count = totalHits;
      window.endsAt = this.clock.elapsed() + timeToExpire;
    }
    return Math.max(failures, totalHits);
  }

  /** Reports whether a key with this hash was rejected before. */
  wasRejected(keyHash: string): boolean {
    return this.#rejectedHashes.has(keyHash);
  }

  /** Reports whether the network has reached the limit, in which case keys rejected before are not looked up again. */
  isLimited(network: string): boolean {
    const window = this.#windows.get(network);
    return window !== undefined && window.count >= FAILED_KEYS_PER_MINUTE && window.endsAt > this.clock.elapsed();
  }

  /** Records the hash of a rejected key. */
  recordRejection(keyHash: string): void {
    this.#rejectedHashes.add(keyHash);
    evictOldest(this.#rejectedHashes);
  }
}

function evictOldest(collection: Map<string, unknown> | Set<string>): void {
  if (collection.size <= MAX_REMEMBERED) return;
  const [oldest] = collection.keys();
  if (oldest !== undefined) collection.delete(oldest);
}
