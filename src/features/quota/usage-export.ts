import type { Database } from '../../database/database.js';
import { decodeRecords, type UsageRecord } from '../../receipts/usage-record.js';

/** Groups read at once: a few hundred records each, at most. */
const GROUPS_PER_PAGE = 100;

/**
 * The records of days, oldest first, in flat memory. Groups are read in the order of their first record; as groups of
 * several processes overlap, a record is given out once no group to come can hold an older one.
 * @param from first day and `to` last day, both inclusive, as `dayNumber` makes them
 * @param keyId only this key's records
 */
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

async function* groupsOf(
  database: Database,
  from: number,
  to: number,
): AsyncGenerator<{ firstAt: number; records: UsageRecord[] }> {
  const select = 'SELECT day, first_at, group_id, document FROM usage_journal';
  const order = `ORDER BY day, first_at, group_id LIMIT ${GROUPS_PER_PAGE}`;
  let rows = await database.usage.readFresh(`${select} WHERE day >= ? AND day <= ? ${order}`, [from, to]);
  while (rows.length > 0) {
    for (const [, firstAt, , document] of rows) {
      yield { firstAt: Number(firstAt), records: decodeRecords(String(document)) };
    }
    const [day, firstAt, groupId] = rows.at(-1) as [number, number, string];
    const beyond = '(day > ? OR (day = ? AND (first_at > ? OR (first_at = ? AND group_id > ?))))';
    rows =
      rows.length < GROUPS_PER_PAGE
        ? []
        : await database.usage.readFresh(`${select} WHERE day >= ? AND day <= ? AND ${beyond} ${order}`, [
            day,
            to,
            day,
            day,
            firstAt,
            firstAt,
            groupId,
          ]);
  }
}

/**
 * Deletes the records before a day; the totals stay, so that summaries and `GET /usage` go on telling what was used.
 * @returns the number of groups deleted
 */
export async function pruneUsage(database: Database, before: number): Promise<number> {
  let removed = 0;
  for (;;) {
    // A few at a time: records of the running service are written in between.
    const rows = await database.usage.readFresh(
      'SELECT day, first_at, group_id FROM usage_journal WHERE day < ? ORDER BY day, first_at, group_id LIMIT 500',
      [before],
    );
    if (rows.length === 0) return removed;
    await database.usage.write((writer) => writer.remove('usage_journal', ['day', 'first_at', 'group_id'], rows));
    removed += rows.length;
  }
}
