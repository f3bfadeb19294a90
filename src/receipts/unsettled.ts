import type { Logger } from 'pino';
import { RateLimitedLog } from '../model/rate-limited-log.js';
import type { OutageJournal } from './outage-journal.js';
import { receivedFrom, type UsageGroup } from './usage-record.js';
import { TIMED_OUT, withTimeout } from '../model/with-timeout.js';

/** Records kept in memory where the local disk takes none. */
const MAX_KEPT = 50_000;

/** And of those that may arrive in the store all the same: giving them up could bill a request that got no answer. */
const MAX_KEPT_IN_DOUBT = 100_000;

/** And of callers whose key could not be looked up: they leave most of the room to others. */
const MAX_KEPT_UNCHECKED = 10_000;

/** How long an answer waits for the local disk. */
const APPEND_MS = 500;

/** What was answered while the store failed, until the store has it: on the local disk, and only without it in memory. */
export class Unsettled {
  #kept: (readonly UsageGroup[])[] = [];
  #isOldestKept = false;
  /** Accesses to the journal, one after the other: it is appended to while its oldest entry is being settled. */
  #last: Promise<unknown> = Promise.resolve();
  #keptRecords = 0;
  #lost = 0;
  readonly #log: RateLimitedLog;

  constructor(
    private readonly journal: OutageJournal,
    private readonly logger: Logger,
  ) {
    this.#log = new RateLimitedLog(logger, 'usage records of an outage could not be written to the local disk');
  }

  get hasAny(): boolean {
    return this.#kept.length > 0 || this.journal.hasEntries;
  }

  /** When the first request of these was received, or earlier, in ms since 1970; Infinity without any. */
  get receivedFrom(): number {
    const kept = this.#kept.flat().flatMap(({ records }) => records.slice(0, 1));
    return Math.min(receivedFrom(kept), this.journal.receivedFrom);
  }

  /** Records that neither the store nor the disk nor memory had room for. */
  get lost(): number {
    return this.#lost;
  }

  start(): Promise<void> {
    return this.journal.start();
  }

  /** @param mayArrive whether something else may get into the store under these IDs
   * @returns whether it survives this process */
  add(groups: readonly UsageGroup[], mayArrive: boolean): Promise<boolean> {
    return this.#add(groups, mayArrive ? MAX_KEPT_IN_DOUBT : MAX_KEPT);
  }

  /** Adds records of callers whose key could not be looked up. @returns whether they survive this process */
  addUnchecked(groups: readonly UsageGroup[]): Promise<boolean> {
    return this.#add(groups, MAX_KEPT_UNCHECKED);
  }

  /** @param maxKept in memory, where the disk takes none: under their IDs, as a disk that hangs may still take them */
  async #add(groups: readonly UsageGroup[], maxKept: number): Promise<boolean> {
    try {
      const appended = await this.#inTurn(() => withTimeout(this.journal.append(groups), APPEND_MS, TIMED_OUT));
      if (appended !== TIMED_OUT) return true;
      this.#log.warn({ err: new Error('the local disk hangs') });
    } catch (error) {
      this.#log.warn({ err: error });
    }
    const records = groups.reduce((sum, group) => sum + group.records.length, 0);
    if (this.#keptRecords + records <= maxKept) {
      this.#kept.push(groups);
      this.#keptRecords += records;
    } else {
      if (this.#lost === 0) this.logger.error('usage records of answers with 503 are being lost: no room for them');
      this.#lost += records;
    }
    return false;
  }

  async oldest(): Promise<readonly UsageGroup[] | null> {
    const [kept] = this.#kept;
    this.#isOldestKept = kept !== undefined;
    return kept ?? this.#inTurn(() => this.journal.oldest());
  }

  async takeOff(): Promise<void> {
    const kept = this.#isOldestKept ? this.#kept.shift() : undefined;
    if (kept === undefined) await this.#inTurn(() => this.journal.takeOff());
    else this.#keptRecords -= kept.reduce((sum, group) => sum + group.records.length, 0);
  }

  /** Leaves what is not in the store to the next process. @param isRegistered whether the registry has this process */
  async close(isRegistered: boolean): Promise<void> {
    for (const groups of this.#kept.splice(0)) await this.add(groups, false);
    await this.#inTurn(() => this.journal.close(isRegistered));
  }

  #inTurn<T>(access: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(access);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
