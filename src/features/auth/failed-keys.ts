import { Injectable } from '@nestjs/common';
import { Clock } from '../../model/clock.js';

/** Wrong keys an address may send in a minute before it is told to wait. */
const FAILED_KEYS_PER_MINUTE = 30;

const WINDOW_MS = 60_000;

/** Addresses and refused keys remembered; the oldest go first, so that an attack cannot fill the memory. */
const MAX_REMEMBERED = 20_000;

interface Window {
  count: number;
  readonly endsAt: number;
}

/** Limits failed keys per address. Revoked and replaced keys stay invalid: their hashes are cached. */
@Injectable()
export class FailedKeys {
  readonly #windows = new Map<string, Window>();
  readonly #refusedHashes = new Set<string>();

  constructor(private readonly clock: Clock) {}

  /** Counts a failure. @returns seconds to wait when the address has used up its failures, null while it has not */
  count(address: string): number | null {
    const now = this.clock.elapsed();
    let window = this.#windows.get(address);
    if (window === undefined || window.endsAt <= now) {
      window = { count: 0, endsAt: now + WINDOW_MS };
      this.#windows.delete(address);
      this.#windows.set(address, window);
      dropOldest(this.#windows);
    }
    window.count += 1;
    return window.count > FAILED_KEYS_PER_MINUTE ? (window.endsAt - now) / 1000 : null;
  }

  /** Whether the store refused this key before. */
  wasRefused(keyHash: string): boolean {
    return this.#refusedHashes.has(keyHash);
  }

  /** Whether the address has used up its failures: what was refused before is not asked for again then. */
  isSlowedDown(address: string): boolean {
    const window = this.#windows.get(address);
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
