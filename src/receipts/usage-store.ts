import type { Database, Writer } from '../database/database.js';
import { UsageGroupEntity, UsageTotalEntity } from './usage.entities.js';
import { encodeRecords, totalsOf, type UsageGroup } from './usage-record.js';

const KEY = ['day', 'first_at', 'group_id'] as const;

/** Columns of the totals that are sums. */
const SUMS = ['requests', 'quota_units', 'credits'] as const;

/** Where usage records become durable. Both methods do all or nothing, and add to the totals in the same transaction. */
export class UsageStore {
  constructor(private readonly database: Database) {}

  write(groups: readonly UsageGroup[]): Promise<void> {
    return this.database.usage.write(async (writer) => add(writer, groups));
  }

  /**
   * Writes `truth`, after a write of `attempted` whose outcome is unknown: whatever of it did reach the store is taken
   * back first, so that no record is there twice and none says what was not answered.
   */
  settle(attempted: readonly UsageGroup[], truth: readonly UsageGroup[]): Promise<void> {
    return this.database.usage.write(async (writer) => {
      const arrived: UsageGroup[] = [];
      for (const group of attempted) {
        // It waits for the attempt, should its transaction still be open.
        if ((await writer.remove(UsageGroupEntity, KEY, [keyOf(group)])) > 0) arrived.push(group);
      }
      void writer.upsert(UsageTotalEntity, totalsOf(arrived, -1), { add: SUMS });
      add(writer, truth);
    });
  }

  /** Nothing is left to do: what was written is durable, and the database belongs to whoever opened it. */
  async close(): Promise<void> {}
}

/** Not awaited: the transaction waits for its statements, and the embedded database gets them in one go. */
function add(writer: Writer, groups: readonly UsageGroup[]): void {
  // Not an upsert: an attempt that arrives after it was settled must fail.
  void writer.insert(
    UsageGroupEntity,
    groups.map((group) => ({ ...keyOf(group), document: encodeRecords(group.records) })),
  );
  void writer.upsert(UsageTotalEntity, totalsOf(groups), { add: SUMS });
}

/** The key of a group's row. */
const keyOf = ({ day, id, records }: UsageGroup) => ({ day, first_at: records[0]?.occurred_at ?? 0, group_id: id });
