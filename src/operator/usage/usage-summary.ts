import type { Database } from '../../database/database.js';
import { sumUsage, type UsageSums } from '../../features/quota/usage-sums.js';
import { formatDayNumber } from '../../receipts/usage-record.js';
import { UsageTotalEntity } from '../../receipts/usage.entities.js';
import { listCustomers, listTestKeys } from './key-names.js';

/** Groupings by what a record itself says, so that they need no database. */
export const RECORD_GROUPINGS = ['key', 'day', 'month', 'operation'] as const;

export const SUMMARY_GROUPINGS = [...RECORD_GROUPINGS, 'customer'] as const;

export type RecordGrouping = (typeof RECORD_GROUPINGS)[number];

export type SummaryGrouping = (typeof SUMMARY_GROUPINGS)[number];

/** A row of `usage summary`. */
export interface SummaryLine extends UsageSums {
  /** The group by each requested grouping: key ID or customer (empty: no valid key), `2026-01-31`, `2026-01` or operation. */
  readonly group: readonly string[];
}

/** The column of each grouping. Months are computed from days. */
const COLUMN_OF = { key: 'key_id', day: 'day', month: 'day', operation: 'operation', customer: 'key_id' } as const;

/** A range of days as day numbers, both inclusive. */
export interface DayRange {
  readonly from: number;
  readonly to: number;
}

/** Separates the groups of a line without changing their sort order. No name of a customer contains it. */
const SEPARATOR = '\n';

const SUMS = ['requests', 'quota_units', 'credits'] as const;

/** Reads summaries from the daily totals, whose number does not depend on the number of requests. */
export class UsageSummaries {
  constructor(private readonly database: Database) {}

  /** Sums usage by one or more groupings, without test keys. @param keyIds restricts the sums to these keys, which may be test keys */
  async sum(
    { from, to }: DayRange,
    by: readonly SummaryGrouping[],
    keyIds?: readonly string[],
  ): Promise<SummaryLine[]> {
    if (keyIds?.length === 0) return [];
    const query = this.database.usage.dataSource.createQueryBuilder(UsageTotalEntity, 'total').select([]);
    for (const [index, grouping] of by.entries()) {
      const column = `total.${COLUMN_OF[grouping]}`;
      query.addSelect(column, `group${index}`).addGroupBy(column);
    }
    for (const sum of SUMS) query.addSelect(`SUM(total.${sum})`, sum);
    query.where('total.day BETWEEN :from AND :to AND total.requests > 0', { from, to });
    if (keyIds !== undefined) query.andWhere('total.key_id IN (:...keyIds)', { keyIds });
    const testKeys = keyIds === undefined ? await listTestKeys(this.database) : new Set<string>();
    if (testKeys.size > 0) query.andWhere('total.key_id NOT IN (:...testKeys)', { testKeys: [...testKeys] });
    const customers = by.includes('customer') ? await listCustomers(this.database) : new Map<string, string>();
    const lines = new Map<string, SummaryLine>();
    for (const row of await query.getRawMany<Record<string, unknown>>()) {
      const group = by.map((grouping, index) => {
        const value = row[`group${index}`];
        return grouping === 'customer'
          ? (customers.get(String(value)) ?? String(value))
          : FORMAT_GROUP[grouping](value);
      });
      const line = lines.get(group.join(SEPARATOR));
      // MySQL returns sums as decimals, which the driver gives as text.
      const sums = {
        requests: Number(row.requests),
        quota_units: Number(row.quota_units),
        credits: Number(row.credits),
      };
      lines.set(group.join(SEPARATOR), { group, ...(line === undefined ? sums : sumUsage([line, sums])) });
    }
    return [...lines.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
  }

  /** Returns the last day on which each key was used, with one index look-up per key. */
  async findLastUsed(keyIds: readonly string[]): Promise<Map<string, string>> {
    const days = new Map<string, string>();
    for (const keyId of keyIds) {
      const last = await this.database.usage.dataSource
        .createQueryBuilder(UsageTotalEntity, 'total')
        .select('total.day', 'day')
        .where('total.key_id = :keyId AND total.requests > 0', { keyId })
        .orderBy('total.day', 'DESC')
        .limit(1)
        .getRawOne<{ day: unknown }>();
      if (last !== undefined) days.set(keyId, formatDayNumber(Number(last.day)));
    }
    return days;
  }
}

const FORMAT_GROUP: Readonly<Record<RecordGrouping, (value: unknown) => string>> = {
  key: String,
  operation: String,
  day: (day) => formatDayNumber(Number(day)),
  month: (day) => formatDayNumber(Number(day)).slice(0, 7),
};
