import { setTimeout as delay } from 'node:timers/promises';
import type { Unsettled } from './unsettled.js';
import { groupByDay } from './usage-recorder.js';
import { receivedFrom, type UsageRecord } from './usage-record.js';

/** How long records collect for one write to the local disk: ten a second at most, whatever callers send. */
const COLLECT_MS = 100;

/** Records in the outage file; beyond, the rest of its room is for records of valid keys. */
const MAX_RECORDS = 500_000;

interface Batch {
  readonly records: UsageRecord[];
  readonly added: Promise<void>;
}

/**
 * Group commit of 503s to callers whose key could not be looked up, into the outage file alone: the store has just failed,
 * and nothing of these records can be in it. Only keys that this installation has issued are looked up at all.
 */
export class UncheckedRecords {
  #collecting: Batch | null = null;
  readonly #pending = new Set<UsageRecord[]>();
  #last: Promise<void> = Promise.resolve();
  #records = 0;

  constructor(private readonly unsettled: Unsettled) {}

  /** Resolves when the record is durable, or in memory where the local disk takes none. @returns false if there is no room */
  async record(record: UsageRecord): Promise<boolean> {
    if (this.#collecting === null && !this.unsettled.hasAny) this.#records = 0;
    if (this.#records >= MAX_RECORDS) return false;
    this.#records += 1;
    this.#collecting ??= this.#collect();
    this.#collecting.records.push(record);
    await this.#collecting.added;
    return true;
  }

  /** When the first record that is not in the file yet was received, in ms since 1970; Infinity without any. */
  get receivedFrom(): number {
    return receivedFrom([...this.#pending].flat());
  }

  /** Waits for what is being written. */
  async close(): Promise<void> {
    await this.#last;
  }

  #collect(): Batch {
    const records: UsageRecord[] = [];
    this.#pending.add(records);
    const added = delay(COLLECT_MS).then(async () => {
      this.#collecting = null;
      // `addUnchecked` never rejects: what the disk does not take is kept in memory.
      await this.unsettled.addUnchecked(groupByDay(records));
      this.#pending.delete(records);
    });
    this.#last = added;
    return { records, added };
  }
}
