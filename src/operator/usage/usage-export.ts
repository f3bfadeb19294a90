import type { Database } from '../../database/database.js';
import { UsageGroupEntity, UsageTotalEntity } from '../../receipts/usage.entities.js';
import { listTestKeys } from './key-names.js';
import { decodeRecords, type UsageRecord } from '../../receipts/usage-record.js';

/** Groups per read. A group has at most a few hundred records. */
const GROUPS_PER_PAGE = 100;

const GROUP_ORDER = { entity: UsageGroupEntity, filters: [], keys: ['day', 'first_at', 'group_id'] } as const;

/** Yields the records of the days `from` to `to` (day numbers, inclusive), oldest first, in bounded memory. Groups of
 * several processes overlap, so a record is held back until no later group can contain an older one. */
export async function* readRecords(
  database: Database,
  { from, to, keyId }: { from: number; to: number; keyId?: string },
): AsyncGenerator<UsageRecord[]> {
  let held: UsageRecord[] = [];
  for await (const { firstAt, records } of readGroups(database, from, to)) {
    const ready = held.filter((record) => record.occurred_at < firstAt);
    if (ready.length > 0) {
      held = held.filter((record) => record.occurred_at >= firstAt);
      yield ready.sort(byTime);
    }
    for (const record of records) if (keyId === undefined || record.key_id === keyId) held.push(record);
  }
  if (held.length > 0) yield held.sort(byTime);
}

const byTime = (a: UsageRecord, b: UsageRecord): number =>
  a.occurred_at - b.occurred_at || (a.request_id < b.request_id ? -1 : 1);

/** Yields the records of the days `from` to `to`, one group at a time, in bounded memory and roughly in order of time. */
export async function* readGroups(
  { usage }: Database,
  from: number,
  to: number,
): AsyncGenerator<{ firstAt: number; records: UsageRecord[] }> {
  const groups = usage.list({ ...GROUP_ORDER, columns: ['document'] });
  for await (const page of usage.pages(groups, { filters: [], from, to, limit: GROUPS_PER_PAGE })) {
    for (const { first_at, document } of page) yield { firstAt: first_at, records: decodeRecords(String(document)) };
  }
}

/** Finds the record of a request, newest groups first. Without an index of request IDs, a miss reads the whole journal. */
export async function findRecord({ usage }: Database, requestId: string): Promise<UsageRecord | null> {
  const groups = usage.list({ ...GROUP_ORDER, columns: ['document'] });
  let after = null;
  do {
    const request = { filters: [], order: 'desc', from: 1, after, limit: GROUPS_PER_PAGE } as const;
    const page: UsageGroupEntity[] = await usage.page(groups, request, 'primary');
    for (const { document } of page) {
      const text = String(document);
      if (!text.includes(requestId)) continue;
      const record = decodeRecords(text).find(({ request_id }) => request_id === requestId);
      if (record !== undefined) return record;
    }
    after = page.length > GROUPS_PER_PAGE ? (page.at(-1) ?? null) : null;
  } while (after !== null);
  return null;
}

/** The records that `pruneUsage` would delete. */
export interface PrunableRecords {
  readonly groups: number;
  readonly records: number;
  /** Those of test keys. */
  readonly testRecords: number;
  /** The days with records as day numbers, ascending. */
  readonly days: readonly number[];
}

/** Counts groups and records before a day, using the journal's key and the daily totals, without reading the records. */
export async function countPrunable(database: Database, before: number): Promise<PrunableRecords> {
  const { usage } = database;
  const found = await usage.dataSource
    .createQueryBuilder(UsageGroupEntity, 'entry')
    .select('entry.day', 'day')
    .addSelect('COUNT(*)', 'groups')
    .where('entry.day > 0 AND entry.day < :before', { before })
    .groupBy('entry.day')
    .orderBy('entry.day')
    .getRawMany<Record<'day' | 'groups', unknown>>();
  const days = found.map(({ day }) => Number(day));
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return { groups: 0, records: 0, testRecords: 0, days };
  const totals = await usage.dataSource
    .createQueryBuilder(UsageTotalEntity, 'total')
    .select('total.key_id', 'key_id')
    .addSelect('SUM(total.requests)', 'records')
    .where('total.day BETWEEN :first AND :last', { first, last })
    .groupBy('total.key_id')
    .getRawMany<Record<'key_id' | 'records', unknown>>();
  const groups = found.reduce((sum, row) => sum + Number(row.groups), 0);
  const testKeys = await listTestKeys(database);
  const sum = (lines: typeof totals) => lines.reduce((total, { records }) => total + Number(records), 0);
  const testRecords = sum(totals.filter(({ key_id }) => testKeys.has(String(key_id))));
  return { groups, records: sum(totals), testRecords, days };
}

/** Returns the days of a range that have usage but no records any more, as day numbers, ascending. @param keyId only usage of this key */
export async function listPrunedDays(
  { usage }: Database,
  { from, to, keyId }: { from: number; to: number; keyId?: string },
): Promise<number[]> {
  const totals = usage.dataSource
    .createQueryBuilder(UsageTotalEntity, 'total')
    .select('DISTINCT total.day', 'day')
    .where('total.day BETWEEN :from AND :to AND total.requests > 0', { from, to });
  if (keyId !== undefined) totals.andWhere('total.key_id = :keyId', { keyId });
  // Read the totals first: usage that arrives in between then has records.
  const used = (await totals.getRawMany<{ day: unknown }>()).map(({ day }) => Number(day));
  const recorded = await usage.dataSource
    .createQueryBuilder(UsageGroupEntity, 'entry')
    .select('DISTINCT entry.day', 'day')
    .where('entry.day BETWEEN :from AND :to', { from, to })
    .getRawMany<{ day: unknown }>();
  const kept = new Set(recorded.map(({ day }) => Number(day)));
  return used.filter((day) => !kept.has(day)).toSorted((a, b) => a - b);
}

/** Deletes record groups before a day, and keeps the totals for summaries and `GET /usage`. @returns groups deleted */
export async function pruneUsage({ usage }: Database, before: number): Promise<number> {
  const groups = usage.list({ ...GROUP_ORDER, columns: [] });
  let removed = 0;
  for (;;) {
    // Delete in small batches, so that the running service can write records in between.
    const page = await usage.page(groups, { filters: [], to: before - 1, limit: 500 }, 'primary');
    if (page.length === 0) return removed;
    removed += await usage.write((writer) => writer.remove(UsageGroupEntity, GROUP_ORDER.keys, page));
  }
}
