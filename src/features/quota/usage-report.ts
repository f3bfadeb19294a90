import type { Database } from '../../database/database.js';
import type { UsageLine } from './usage-line.js';
import { dateOf } from '../../receipts/usage-record.js';

export type UsageSums = Pick<UsageLine, 'requests' | 'quota_units' | 'credits'>;

export type SummaryGrouping = 'key' | 'day' | 'operation';

/** A row of the operator's summary: the sums of a key, a day or an operation. */
export interface SummaryLine extends UsageSums {
  /** The key's ID (empty: requests without a valid key), the date, or the operation. */
  readonly group: string;
}

/** Days as `dayNumber` makes them, both inclusive. */
interface Days {
  readonly from: number;
  readonly to: number;
}

const SUM_COLUMNS = 'requests, quota_units, credits';

/** A key's usage by day and operation, from the totals: a handful of rows however many requests there were. */
export async function usageOfKey(database: Database, keyId: string, { from, to }: Days): Promise<UsageLine[]> {
  const rows = await database.usage.readFresh(
    `SELECT day, operation, ${SUM_COLUMNS} FROM usage_totals WHERE key_id = ? AND day >= ? AND day <= ? AND requests > 0 ORDER BY day, operation`,
    [keyId, from, to],
  );
  return rows.map(([day, operation, requests, units, credits]) => ({
    date: dateOf(Number(day)),
    operation: String(operation),
    requests: Number(requests),
    quota_units: Number(units),
    credits: Number(credits),
  }));
}

/** Everybody's usage by key, day or operation. */
export async function usageSummary(
  database: Database,
  { from, to }: Days,
  by: SummaryGrouping,
): Promise<SummaryLine[]> {
  const column = { key: 'key_id', day: 'day', operation: 'operation' }[by];
  const rows = await database.usage.readFresh(
    `SELECT ${column}, SUM(requests), SUM(quota_units), SUM(credits) FROM usage_totals ` +
      `WHERE day >= ? AND day <= ? AND requests > 0 GROUP BY ${column} ORDER BY ${column}`,
    [from, to],
  );
  return rows.map(([group, requests, units, credits]) => ({
    group: by === 'day' ? dateOf(Number(group)) : String(group),
    requests: Number(requests),
    quota_units: Number(units),
    credits: Number(credits),
  }));
}

export function sumUsage(lines: readonly UsageSums[]): UsageSums {
  const sum = (member: keyof UsageSums) => lines.reduce((total, line) => total + line[member], 0);
  return { requests: sum('requests'), quota_units: sum('quota_units'), credits: sum('credits') };
}
