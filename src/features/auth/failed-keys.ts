import { Injectable } from '@nestjs/common';
import { Clock } from '../../model/clock.js';
import { MINUTE_MS, MinuteCounters } from '../quota/minute-counters.js';

/** Wrong keys a network may send in a minute before it is told to wait. */
const FAILED_KEYS_PER_MINUTE = 30;

/** Networks and refused keys remembered; the oldest go first, so that an attack cannot fill the memory. */
const MAX_REMEMBERED = 20_000;

interface Window {
  count: number;
  endsAt: number;
}

/** Limits failed keys per network (`networkOf`), across all processes where counters are shared. Revoked and replaced keys stay invalid: their hashes are cached. */
@Injectable()
export class FailedKeys {
  readonly #windows = new Map<string, Window>();
  readonly #refusedHashes = new Set<string>();

  constructor(
    private readonly clock: Clock,
    private readonly counters: MinuteCounters,
  ) {}

  /** Counts a failure. @returns seconds to wait when the network has used up its failures, null while it has not */
  async count(network: string): Promise<number | null> {
    const window = this.#windowOf(network);
    let nth = (window.count += 1);
    // Who is known to have used them up is not asked about again. Without a shared store, this window alone is bounded.
    if (this.counters.isShared !== null && nth <= FAILED_KEYS_PER_MINUTE) nth = await this.#share(network, window, nth);
    return nth > FAILED_KEYS_PER_MINUTE ? (window.endsAt - this.clock.elapsed()) / 1000 : null;
  }

  #windowOf(network: string): Window {
    const now = this.clock.elapsed();
    let window = this.#windows.get(network);
    if (window === undefined || window.endsAt <= now) {
      window = { count: 0, endsAt: now + MINUTE_MS };
      this.#windows.delete(network);
      this.#windows.set(network, window);
      dropOldest(this.#windows);
    }
    return window;
  }

  /** @returns which failure of the minute this is in all processes together */
  async #share(network: string, window: Window, nth: number): Promise<number> {
    const key = `failed-keys:${network}`;
    const { totalHits, timeToExpire } = await this.counters.increment(key, MINUTE_MS, FAILED_KEYS_PER_MINUTE);
    if (totalHits > window.count) {
      window.count = totalHits;
      window.endsAt = this.clock.elapsed() + timeToExpire;
    }
    return Math.max(nth, totalHits);
  }

  wasRefused(keyHash: string): boolean {
    return this.#refusedHashes.has(keyHash);
  }

  /** Whether the network has used up its failures: what was refused before is not asked for again then. */
  isSlowedDown(network: string): boolean {
    const window = this.#windows.get(network);
    return window !== undefined && window.count >= FAILED_KEYS_PER_MINUTE && window.endsAt > this.clock.elapsed();
  }

  rememberRefusal(keyHash: string): void {
    this.#refusedHashes.add(keyHash);
    dropOldest(this.#refusedHashes);
  }
}

function dropOldest(collection: Map<string, unknown> | Set<string>): void {
  if (collection.size <= MAX_REMEMBERED) return;
  const [oldest] = collection.keys();
  if (oldest !== undefined) collection.delete(oldest);
}
