import type { Logger } from 'pino';
import { SparingLog } from '../model/sparing-log.js';
import type { OutageJournal } from './outage-journal.js';
import { receivedFrom, type UsageGroup } from './usage-record.js';
import { LATE, within } from '../model/within.js';

/** Records kept in memory where the local disk takes none. */
const MAX_KEPT = 50_000;

/** And of those that may arrive in the store all the same: giving them up could bill a request that got no answer. */
const MAX_KEPT_IN_DOUBT = 100_000;

/** How long an answer waits for the local disk. */
const APPEND_MS = 500;

/** What was answered while the store failed, until the store has it: on the local disk, and only without it in memory. */
export class Unsettled {
  #kept: (readonly UsageGroup[])[] = [];
  #keptRecords = 0;
  #lost = 0;
  readonly #log: SparingLog;

  constructor(
    private readonly journal: OutageJournal,
    private readonly logger: Logger,
  ) {
    this.#log = new SparingLog(logger, 'usage records of an outage could not be written to the local disk');
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
  async add(groups: readonly UsageGroup[], mayArrive: boolean): Promise<boolean> {
    try {
      if ((await within(this.journal.append(groups), APPEND_MS, LATE)) !== LATE) return true;
      this.#log.warn({ err: new Error('the local disk hangs') });
    } catch (error) {
      this.#log.warn({ err: error });
    }
    const records = groups.reduce((sum, group) => sum + group.records.length, 0);
    if (this.#keptRecords + records <= (mayArrive ? MAX_KEPT_IN_DOUBT : MAX_KEPT)) {
      this.#kept.push(groups);
      this.#keptRecords += records;
    } else {
      if (this.#lost === 0) this.logger.error('usage records of answers with 503 are being lost: no room for them');
      this.#lost += records;
    }
    return false;
  }

  async oldest(): Promise<readonly UsageGroup[] | null> {
    return this.#kept[0] ?? this.journal.oldest();
  }

  async takeOff(): Promise<void> {
    const kept = this.#kept.shift();
    if (kept === undefined) await this.journal.takeOff();
    else this.#keptRecords -= kept.reduce((sum, group) => sum + group.records.length, 0);
  }

  /** Leaves what is not in the store to the next process. @param isRegistered whether the registry has this process */
  async close(isRegistered: boolean): Promise<void> {
    for (const groups of this.#kept.splice(0)) await this.add(groups, false);
    await this.journal.close(isRegistered);
  }
}
