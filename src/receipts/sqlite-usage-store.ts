import { SqliteThread } from '../database/sqlite/sqlite-thread.js';
import { encodeRecords, totalsOf, type UsageGroup } from './usage-record.js';
import { firstAt, type UsageStore } from './usage-store.js';

/**
 * Usage records beside the embedded database, written by a thread of its own: a commit waits for the disk, and for other
 * processes' writes, and neither may hold up the requests.
 */
export class SqliteUsageStore implements UsageStore {
  readonly #thread: SqliteThread;

  constructor(path: string) {
    this.#thread = new SqliteThread(new URL('./sqlite-usage-writer.mjs', import.meta.url), path);
  }

  write(groups: readonly UsageGroup[]): Promise<void> {
    return this.settle([], groups);
  }

  async settle(attempted: readonly UsageGroup[], truth: readonly UsageGroup[]): Promise<void> {
    await this.#thread.ask({ attempted: attempted.map(rowOf), truth: truth.map(rowOf) });
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

const rowOf = (group: UsageGroup) => ({
  key: [group.day, firstAt(group), group.id],
  document: encodeRecords(group.records),
  totals: totalsOf([group]),
});
