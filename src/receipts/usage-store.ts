import type { Database, Writer } from '../database/database.js';
import { UsageGroupEntity, UsageTotalEntity } from './usage.entities.js';
import { decodeRecords, encodeRecords, totalsOf, type UsageGroup } from './usage-record.js';

const KEY = ['day', 'first_at', 'group_id'] as const;

const SUMS = ['requests', 'quota_units', 'credits'] as const;

/** Before any record. */
const PROBE = { day: 0, first_at: 0 } as const;

/** Durable usage records. Methods are atomic and update the totals in the same transaction. */
export class UsageStore {
  constructor(private readonly database: Database) {}

  /** @param withinMs time limit, where the store can be left alone in the middle of a transaction */
  write(groups: readonly UsageGroup[], withinMs?: number): Promise<void> {
    return this.database.usage.write(async (writer) => add(writer, groups), withinMs);
  }

  /** Writes groups in place of whatever is there under their IDs: nothing, an attempt, or the same. */
  settle(groups: readonly UsageGroup[], withinMs?: number): Promise<void> {
    return this.database.usage.write(async (writer) => {
      const arrived: UsageGroup[] = [];
      for (const group of groups) {
        // Locks the row: waits for the attempt if its transaction is still open.
        const [row] = await writer.lock(UsageGroupEntity, KEY, keyOf(group), ['document']);
        if (row !== undefined) arrived.push({ ...group, records: decodeRecords(String(row.document)) });
      }
      void writer.remove(UsageGroupEntity, KEY, arrived.map(keyOf));
      void writer.upsert(UsageTotalEntity, totalsOf(arrived, -1), { add: SUMS });
      add(writer, groups);
    }, withinMs);
  }

  /** Writes durably what a record takes, and leaves nothing. */
  probe(id: string, withinMs: number): Promise<void> {
    const key = { ...PROBE, group_id: id };
    return this.database.usage.write(async (writer) => {
      void writer.insert(UsageGroupEntity, [{ ...key, document: '' }]);
      void writer.remove(UsageGroupEntity, KEY, [key]);
    }, withinMs);
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
