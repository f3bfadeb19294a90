import type { Database, Writer } from '../database/database.js';
import { admit, listMonths, monthOfDay, keyMonthId, type KeyMonth, type RecordAllowances } from './allowances.js';
import { addToMonths, lockMonths, raiseWarnedPercent, readMonths, sumMonths } from './key-months.js';
import { NOTHING_CHECKED, AllowanceWriter, type WriteResult } from './allowance-writer.js';
import { NO_COST } from './prices.js';
import { UsageGroupEntity, UsageTotalEntity } from './usage.entities.js';
import { decodeRecords, encodeRecords, computeTotals, type UsageGroup } from './usage-record.js';

const KEY = ['day', 'first_at', 'group_id'] as const;

const SUMS = ['requests', 'quota_units', 'credits'] as const;

/** Key that sorts before any record. */
const PROBE = { day: 0, first_at: 0 } as const;

/** Stores usage records durably. Each method is one transaction, which also updates the totals. */
export class UsageStore {
  readonly #allowanceWriter: AllowanceWriter;

  constructor(private readonly database: Database) {
    this.#allowanceWriter = new AllowanceWriter(database.usage);
  }

  /** @param withinMs time limit, for stores that can abandon a transaction
   * @param allowances allowances of the records; null if none has one */
  async write(
    groups: readonly UsageGroup[],
    withinMs?: number,
    allowances: RecordAllowances | null = null,
  ): Promise<WriteResult> {
    if (allowances !== null) return this.#allowanceWriter.write(groups, allowances, addGroups, withinMs);
    await this.database.usage.write(async (writer) => addGroups(writer, groups), withinMs);
    return NOTHING_CHECKED;
  }

  /** Writes the final records of groups. Replaces an earlier attempt with the same IDs, if it was committed. Idempotent. */
  async settle(
    groups: readonly UsageGroup[],
    withinMs?: number,
    allowances: RecordAllowances | null = null,
  ): Promise<WriteResult> {
    const settled = await this.database.usage.write(async (writer) => {
      const committed = await removeCommitted(writer, groups);
      const months = distinct([...listChargedMonths(committed), ...listMonths(groups, allowances ?? new Map())]);
      lockMonths(writer, months);
      void writer.upsert(UsageTotalEntity, computeTotals(committed, -1), { add: SUMS });
      if (allowances === null) {
        addGroups(writer, groups);
        sumMonths(writer, months);
        return null;
      }
      sumMonths(writer, months);
      const used = new Map((await readMonths(writer, months)).map((state) => [keyMonthId(state), state.used]));
      const admitted = admit(groups, allowances, (month) => used.get(keyMonthId(month)) ?? NO_COST);
      addGroups(writer, admitted.groups);
      addToMonths(writer, admitted.charges);
      return { admitted, states: await readMonths(writer, months) };
    }, withinMs);
    return settled === null ? NOTHING_CHECKED : this.#allowanceWriter.finish(settled.admitted, settled.states);
  }

  /** Raises the threshold of which a key was warned. @returns false if it was reached before */
  claimWarning(month: KeyMonth, percent: number): Promise<boolean> {
    return this.database.usage.write((writer) => raiseWarnedPercent(writer, month, percent));
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

/** Removes the committed attempts of groups, and returns them. Waits for an attempt whose transaction is still open. */
async function removeCommitted(writer: Writer, groups: readonly UsageGroup[]): Promise<UsageGroup[]> {
  const rows = await writer.lock(UsageGroupEntity, KEY, groups.map(groupKey), ['day', 'group_id', 'document']);
  const committed = rows.map(({ day, group_id, document }) => ({
    id: String(group_id),
    day,
    records: decodeRecords(String(document)),
  }));
  void writer.remove(UsageGroupEntity, KEY, committed.map(groupKey));
  return committed;
}

const listChargedMonths = (groups: readonly UsageGroup[]): KeyMonth[] =>
  groups.flatMap(({ day, records }) =>
    records
      .filter(({ quota_units, credits }) => quota_units > 0 || credits > 0)
      .map(({ key_id }) => ({ keyId: key_id ?? '', month: monthOfDay(day) })),
  );

const distinct = (months: readonly KeyMonth[]): KeyMonth[] => [
  ...new Map(months.map((month) => [keyMonthId(month), month])).values(),
];
