import { setTimeout as delay } from 'node:timers/promises';
import type { UnsettledRecords } from './unsettled-records.js';
import { findOldestReceivedAt, groupByDay, type UsageRecord } from './usage-record.js';

/** Time for which records collect, so that there are at most ten writes per second to the local disk. */
const COLLECT_MS = 100;

/** Maximum records in the outage file; the rest of its space is for valid keys. */
const MAX_RECORDS = 500_000;

interface UncheckedBatch {
  readonly records: UsageRecord[];
  readonly added: Promise<void>;
}

/**
 * Writes the records of callers whose key could not be looked up, by group commit. They go to the outage file directly,
 * because the store has just failed. Only keys that this installation has issued are looked up, so random keys cannot fill it.
 */
export class UncheckedRecords {
  #collecting: UncheckedBatch | null = null;
  readonly #pending = new Set<UsageRecord[]>();
  #last: Promise<void> = Promise.resolve();
  #records = 0;

  constructor(private readonly unsettled: UnsettledRecords) {}

  /** Resolves once the record is on the local disk, or in memory if the disk fails. @returns false if there is no room */
  async record(record: UsageRecord): Promise<boolean> {
    if (this.#collecting === null && !this.unsettled.hasAny) this.#records = 0;
    if (this.#records >= MAX_RECORDS) return false;
    this.#records += 1;
    this.#collecting ??= this.#collect();
    this.#collecting.records.push(record);
    await this.#collecting.added;
    return true;
  }

  /** When the oldest request was received whose record is not in the file yet, in ms since 1970; Infinity without any. */
  get oldestReceivedAt(): number {
    return findOldestReceivedAt([...this.#pending].flat());
  }

  async close(): Promise<void> {
    await this.#last;
  }

  #collect(): UncheckedBatch {
    const records: UsageRecord[] = [];
    this.#pending.add(records);
    const added = delay(COLLECT_MS).then(async () => {
      this.#collecting = null;
      // Never rejects: records are kept in memory if the disk fails.
      await this.unsettled.addUnchecked(groupByDay(records));
      this.#pending.delete(records);
    });
    this.#last = added;
    return { records, added };
  }
}
