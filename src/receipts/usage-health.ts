import { randomUUID } from 'node:crypto';
import type { UsageStore } from './usage-store.js';
import { withTimeout } from '../model/with-timeout.js';

/** Time for which a durable write counts as proof, and in which no probe is repeated. */
const PROOF_MS = 2000;

const PROBE_MS = 1500;

/** Health of the usage store, judged by the last write, or by a probe if there was none lately. */
export class UsageHealth {
  #provenAt = -Infinity;
  #hasFailed = false;
  #probing: Promise<boolean> | null = null;
  #probedAt = -Infinity;

  constructor(private readonly store: UsageStore) {}

  /** Whether the last write failed. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  recordSuccess(): void {
    this.#provenAt = performance.now();
    this.#hasFailed = false;
  }

  recordFailure(): void {
    this.#hasFailed = true;
  }

  /** @param isRetrying whether records of an outage are retried, which makes a probe superfluous */
  async canWrite(isRetrying: boolean): Promise<boolean> {
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
    if (works) this.recordSuccess();
    else this.recordFailure();
    return works;
  }
}
