import type { Database } from '../../database/database.js';
import { UsageGroupEntity, UsageTotalEntity } from '../../receipts/usage.entities.js';
import { decodeRecords, type UsageRecord } from '../../receipts/usage-record.js';

/** Groups read at once: a few hundred records each, at most. */
const GROUPS_PER_PAGE = 100;

const IN_ORDER = { entity: UsageGroupEntity, filters: [], keys: ['day', 'first_at', 'group_id'] } as const;

/** The records of the days `from` to `to` (`dayNumber`s, inclusive), oldest first, in flat memory. Groups of several
 * processes overlap: a record is given out once no group to come can hold an older one. */
export async function* exportUsage(
  database: Database,
  { from, to, keyId }: { from: number; to: number; keyId?: string },
): AsyncGenerator<UsageRecord[]> {
  let held: UsageRecord[] = [];
  for await (const { firstAt, records } of groupsOf(database, from, to)) {
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

/** The records of some days, a group at a time, in flat memory; in about the order of time. */
export async function* groupsOf(
  { usage }: Database,
  from: number,
  to: number,
): AsyncGenerator<{ firstAt: number; records: UsageRecord[] }> {
  const groups = usage.list({ ...IN_ORDER, columns: ['document'] });
  for await (const page of usage.pages(groups, { filters: [], from, to, limit: GROUPS_PER_PAGE })) {
    for (const { first_at, document } of page) yield { firstAt: first_at, records: decodeRecords(String(document)) };
  }
}

/** Looks for one record, the newest groups first: the journal has no index of request IDs, so a miss reads all of it. */
export async function findUsage({ usage }: Database, requestId: string): Promise<UsageRecord | null> {
  const groups = usage.list({ ...IN_ORDER, columns: ['document'] });
  let after = null;
  do {
    const request = { filters: [], order: 'desc', from: 1, after, limit: GROUPS_PER_PAGE } as const;
    const page: UsageGroupEntity[] = await usage.page(groups, request, 'fresh');
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

/** What `pruneUsage` would delete. */
export interface PrunedRecords {
  readonly groups: number;
  readonly records: number;
  /** The days with records, ascending, as `dayNumber` makes them. */
  readonly days: readonly number[];
}

/** Counts the records before a day without reading them: groups by the journal's key, records by the daily totals. */
export async function recordsBefore({ usage }: Database, before: number): Promise<PrunedRecords> {
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
  if (first === undefined || last === undefined) return { groups: 0, records: 0, days };
  const totals = await usage.dataSource
    .createQueryBuilder(UsageTotalEntity, 'total')
    .select('SUM(total.requests)', 'records')
    .where('total.day BETWEEN :first AND :last', { first, last })
    .getRawOne<{ records: unknown }>();
  const groups = found.reduce((sum, row) => sum + Number(row.groups), 0);
  return { groups, records: Number(totals?.records ?? 0), days };
}

/** Deletes record groups before a day; the totals for summaries and `GET /usage` stay. @returns groups deleted */
export async function pruneUsage({ usage }: Database, before: number): Promise<number> {
  const groups = usage.list({ ...IN_ORDER, columns: [] });
  let removed = 0;
  for (;;) {
    // A few at a time: records of the running service are written in between.
    const page = await usage.page(groups, { filters: [], to: before - 1, limit: 500 }, 'fresh');
    if (page.length === 0) return removed;
    removed += await usage.write((writer) => writer.remove(UsageGroupEntity, IN_ORDER.keys, page));
  }
}
