import type { Database, Writer } from '../database/database.js';
import { UsageGroupEntity, UsageTotalEntity } from './usage.entities.js';
import { decodeRecords, encodeRecords, computeTotals, type UsageGroup } from './usage-record.js';

const KEY = ['day', 'first_at', 'group_id'] as const;

const SUMS = ['requests', 'quota_units', 'credits'] as const;

/** Key that sorts before any record. */
const PROBE = { day: 0, first_at: 0 } as const;

/** Stores usage records durably. Each method is one transaction, which also updates the totals. */
export class UsageStore {
  constructor(private readonly database: Database) {}

  /** @param withinMs time limit, for stores that can abandon a transaction */
  write(groups: readonly UsageGroup[], withinMs?: number): Promise<void> {
    return this.database.usage.write(async (writer) => addGroups(writer, groups), withinMs);
  }

  /** Writes the final records of groups. Replaces an earlier attempt with the same IDs, if it was committed. Idempotent. */
  settle(groups: readonly UsageGroup[], withinMs?: number): Promise<void> {
    return this.database.usage.write(async (writer) => {
      const committed: UsageGroup[] = [];
      for (const group of groups) {
        // Waits for the attempt if its transaction is still open.
        const [row] = await writer.lock(UsageGroupEntity, KEY, groupKey(group), ['document']);
        if (row !== undefined) committed.push({ ...group, records: decodeRecords(String(row.document)) });
      }
      void writer.remove(UsageGroupEntity, KEY, committed.map(groupKey));
      void writer.upsert(UsageTotalEntity, computeTotals(committed, -1), { add: SUMS });
      addGroups(writer, groups);
    }, withinMs);
  }

  /** Commits a write that leaves no rows, to find out whether a record could be written. */
  probe(id: string, withinMs: number): Promise<void> {
    const key = { ...PROBE, group_id: id };
    return this.database.usage.write(async (writer) => {
      void writer.insert(UsageGroupEntity, [{ ...key, document: '' }]);
      void writer.remove(UsageGroupEntity, KEY, [key]);
    }, withinMs);
  }
}

/** Queues the statements. The commit waits for them, and SQLite gets them in one message. */
function addGroups(writer: Writer, groups: readonly UsageGroup[]): void {
  // Not an upsert, so that an attempt fails if it arrives after its group was settled.
  void writer.insert(
    UsageGroupEntity,
    groups.map((group) => ({ ...groupKey(group), document: encodeRecords(group.records) })),
  );
  void writer.upsert(UsageTotalEntity, computeTotals(groups), { add: SUMS });
}

const groupKey = ({ day, id, records }: UsageGroup) => ({ day, first_at: records[0]?.occurred_at ?? 0, group_id: id });
