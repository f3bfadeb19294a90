import type { Database, Writer } from '../database/database.js';
import { UsageGroupEntity, UsageTotalEntity } from './usage.entities.js';
import { encodeRecords, totalsOf, type UsageGroup } from './usage-record.js';

const KEY = ['day', 'first_at', 'group_id'] as const;

const SUMS = ['requests', 'quota_units', 'credits'] as const;

/** Durable usage records. Methods are atomic and update the totals in the same transaction. */
export class UsageStore {
  constructor(private readonly database: Database) {}

  write(groups: readonly UsageGroup[]): Promise<void> {
    return this.database.usage.write(async (writer) => add(writer, groups));
  }

  /** Writes `truth` after `attempted`, whose outcome is unknown: removes what arrived, so nothing is there twice. */
  settle(attempted: readonly UsageGroup[], truth: readonly UsageGroup[]): Promise<void> {
    return this.database.usage.write(async (writer) => {
      const arrived: UsageGroup[] = [];
      for (const group of attempted) {
        // Row locks: waits for the attempt if its transaction is still open.
        if ((await writer.remove(UsageGroupEntity, KEY, [keyOf(group)])) > 0) arrived.push(group);
      }
      void writer.upsert(UsageTotalEntity, totalsOf(arrived, -1), { add: SUMS });
      add(writer, truth);
    });
  }
}

/** Not awaited: the commit waits for the statements, and SQLite gets them in one message. */
function add(writer: Writer, groups: readonly UsageGroup[]): void {
  // Not an upsert: an attempt that arrives after it was settled must fail.
  void writer.insert(
    UsageGroupEntity,
    groups.map((group) => ({ ...keyOf(group), document: encodeRecords(group.records) })),
  );
  void writer.upsert(UsageTotalEntity, totalsOf(groups), { add: SUMS });
}

const keyOf = ({ day, id, records }: UsageGroup) => ({ day, first_at: records[0]?.occurred_at ?? 0, group_id: id });
