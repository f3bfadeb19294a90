import type { Logger } from 'pino';
import { RateLimitedLog } from '../model/rate-limited-log.js';
import type { OutageJournal } from './outage-journal.js';
import { countRecords, findOldestReceivedAt, type UsageGroup } from './usage-record.js';
import { TIMED_OUT, withTimeout } from '../model/with-timeout.js';

/** Maximum records in memory while the local disk fails. */
const MAX_IN_MEMORY = 50_000;

/** Maximum if a record's first write may still be committed. High, because dropping it could charge a request answered 503. */
const MAX_IN_DOUBT_IN_MEMORY = 100_000;

/** Maximum for records of callers whose key could not be looked up. Low, to leave room for valid keys. */
const MAX_UNCHECKED_IN_MEMORY = 10_000;

const APPEND_TIMEOUT_MS = 500;

/** Queue of records that the store could not take. They are kept on the local disk, and in memory if the disk fails. */
export class UnsettledRecords {
  #inMemory: (readonly UsageGroup[])[] = [];
  #isOldestInMemory = false;
  /** Last access to the journal. Accesses run one at a time: entries are appended while the oldest one is settled. */
  #lastAccess: Promise<unknown> = Promise.resolve();
  #recordsInMemory = 0;
  #lostRecords = 0;
  readonly #log: RateLimitedLog;

  constructor(
    private readonly journal: OutageJournal,
    private readonly logger: Logger,
  ) {
    this.#log = new RateLimitedLog(logger, 'usage records of an outage could not be written to the local disk');
  }

  get hasAny(): boolean {
    return this.#inMemory.length > 0 || this.journal.hasEntries;
  }

  /** Number of records; null with those of another process, whose file is not counted. */
  get count(): number | null {
    const { recordCount } = this.journal;
    return recordCount === null ? null : recordCount + this.#recordsInMemory;
  }

  /** Lower bound of the times at which the requests were received, in ms since 1970; Infinity without records. */
  get oldestReceivedAt(): number {
    const firstRecords = this.#inMemory.flat().flatMap(({ records }) => records.slice(0, 1));
    return Math.min(findOldestReceivedAt(firstRecords), this.journal.oldestReceivedAt);
  }

  /** Records that neither the store, the disk nor the memory had room for, or whose file was damaged. */
  get lostRecords(): number {
    return this.#lostRecords + this.journal.lostRecords;
  }

  start(): Promise<void> {
    return this.journal.start();
  }

  /** @param isInDoubt whether an earlier write of these groups may still be committed
   * @returns whether the groups survive this process */
  add(groups: readonly UsageGroup[], isInDoubt: boolean): Promise<boolean> {
    return this.#add(groups, isInDoubt ? MAX_IN_DOUBT_IN_MEMORY : MAX_IN_MEMORY);
  }

  addUnchecked(groups: readonly UsageGroup[]): Promise<boolean> {
    return this.#add(groups, MAX_UNCHECKED_IN_MEMORY);
  }

  /** Keeps groups in memory under the same IDs if the disk fails or hangs: a hanging disk may still write them. */
  async #add(groups: readonly UsageGroup[], maxInMemory: number): Promise<boolean> {
    try {
      const appended = await this.#inTurn(() => withTimeout(this.journal.append(groups), APPEND_TIMEOUT_MS, TIMED_OUT));
      if (appended !== TIMED_OUT) return true;
      this.#log.warn({ err: new Error('the local disk hangs') });
    } catch (error) {
      this.#log.warn({ err: error });
    }
    const records = countRecords(groups);
    if (this.#recordsInMemory + records <= maxInMemory) {
      this.#inMemory.push(groups);
      this.#recordsInMemory += records;
    } else {
      if (this.#lostRecords === 0)
        this.logger.error('usage records of answers with 503 are lost: disk and memory are full');
      this.#lostRecords += records;
    }
    return false;
  }

  async readOldest(): Promise<readonly UsageGroup[] | null> {
    const [oldest] = this.#inMemory;
    this.#isOldestInMemory = oldest !== undefined;
    return oldest ?? this.#inTurn(() => this.journal.readOldest());
  }

  async removeOldest(): Promise<void> {
    const removed = this.#isOldestInMemory ? this.#inMemory.shift() : undefined;
    if (removed === undefined) await this.#inTurn(() => this.journal.removeOldest());
    else this.#recordsInMemory -= countRecords(removed);
  }

  /** Leaves the records for the next process. @param isRegistered whether this process is still in the registry */
  async close(isRegistered: boolean): Promise<void> {
    for (const groups of this.#inMemory.splice(0)) await this.add(groups, false);
    await this.#inTurn(() => this.journal.close(isRegistered));
  }

  #inTurn<T>(access: () => Promise<T>): Promise<T> {
    const turn = this.#lastAccess.then(access);
    this.#lastAccess = turn.catch(() => undefined);
    return turn;
  }
}
