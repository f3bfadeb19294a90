import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { OutageLog } from '../model/outage-log.js';
import { TIMED_OUT, withTimeout } from '../model/with-timeout.js';
import type { UsageStore } from './usage-store.js';

/** Time for which a durable write counts as proof, and in which no probe is repeated. */
const PROOF_MS = 2000;

const PROBE_MS = 1500;

/** Error of a store that answered neither in time nor with its own timeout. */
export const storeHangs = (): Error => new Error('the store hangs');

/** Health of the usage store, judged by the last write, or by a probe if there was none lately. Logs its outages. */
export class UsageHealth {
  readonly #outage: OutageLog;
  #provenAt = -Infinity;
  #probing: Promise<void> | null = null;
  #probedAt = -Infinity;

  /** @param waiting number of records of the outage that wait for the store; null if unknown */
  constructor(
    private readonly store: UsageStore,
    private readonly waiting: () => number | null,
    logger: Logger,
  ) {
    this.#outage = new OutageLog(logger, 'usage records could not be written', 'usage records are written again');
  }

  /** Whether the last write failed. */
  get hasFailed(): boolean {
    return this.#outage.isOpen;
  }

  recordSuccess(): void {
    this.#provenAt = performance.now();
    if (this.hasFailed) this.#outage.finish({ unsettled_records: this.waiting() });
  }

  recordFailure(error: unknown): void {
    this.#outage.fail({ err: error });
  }

  /** @param isRetrying whether records of an outage are retried, which makes a probe superfluous */
  async canWrite(isRetrying: boolean): Promise<boolean> {
    if (this.hasFailed && isRetrying) return false;
    if (!this.hasFailed && performance.now() - this.#provenAt < PROOF_MS) return true;
    if (this.#probing === null && performance.now() - this.#probedAt >= PROOF_MS) {
      this.#probedAt = performance.now();
      this.#probing = this.#probe().finally(() => (this.#probing = null));
    }
    if (this.#probing !== null) await this.#probing;
    return !this.hasFailed;
  }

  async #probe(): Promise<void> {
    try {
      const probe = this.store.probe(randomUUID(), PROBE_MS);
      if ((await withTimeout(probe, PROBE_MS, TIMED_OUT)) === TIMED_OUT) throw storeHangs();
      this.recordSuccess();
    } catch (error) {
      if (!this.hasFailed) this.recordFailure(error);
    }
  }
}
