import { randomUUID } from 'node:crypto';
import type { UsageStore } from './usage-store.js';
import { withTimeout } from '../model/with-timeout.js';

/** How long a durable write proves that the next one works, and a probe is not repeated. */
const PROOF_MS = 2000;

const PROBE_MS = 1500;

/** Whether a record can be made durable now: by the last write, or, where none was lately, by a probing one. */
export class UsageHealth {
  #provenAt = -Infinity;
  #hasFailed = false;
  #probing: Promise<boolean> | null = null;
  #probedAt = -Infinity;

  constructor(private readonly store: UsageStore) {}

  /** The last write failed, and none succeeded since. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  succeeded(): void {
    this.#provenAt = performance.now();
    this.#hasFailed = false;
  }

  failed(): void {
    this.#hasFailed = true;
  }

  /** @param isRetrying whether a real record is being tried meanwhile, which tells more than a probe */
  async isGood(isRetrying: boolean): Promise<boolean> {
    if (this.#hasFailed && isRetrying) return false;
    if (!this.#hasFailed && performance.now() - this.#provenAt < PROOF_MS) return true;
    if (this.#probing === null && performance.now() - this.#probedAt >= PROOF_MS) {
      this.#probedAt = performance.now();
      this.#probing = this.#probe().finally(() => (this.#probing = null));
    }
    if (this.#probing !== null) await this.#probing;
    return !this.#hasFailed;
  }

  async #probe(): Promise<boolean> {
    const probe = this.store.probe(randomUUID(), PROBE_MS).then(
      () => true,
      () => false,
    );
    const works = await withTimeout(probe, PROBE_MS, false);
    if (works) this.succeeded();
    else this.failed();
    return works;
  }
}
