import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { KeysetList } from '../../database/keyset.js';
import { UsageTotalEntity } from '../../receipts/usage.entities.js';
import type { UsageLine } from './usage-line.js';
import { dateOf } from '../../receipts/usage-record.js';

export type UsageSums = Pick<UsageLine, 'requests' | 'quota_units' | 'credits'>;

export const SUMMARY_GROUPINGS = ['key', 'day', 'month', 'operation'] as const;

export type SummaryGrouping = (typeof SUMMARY_GROUPINGS)[number];

/** A row of the operator's summary. */
export interface SummaryLine extends UsageSums {
  /** What it is the sum of, as it was asked for: the key's ID (empty: no valid key), `2026-01-31`, `2026-01`, the operation. */
  readonly group: readonly string[];
}

/** The column that a grouping needs; months are put together from days. */
const COLUMN_OF = { key: 'key_id', day: 'day', month: 'day', operation: 'operation' } as const;

/** Days as `dayNumber` makes them, both inclusive. */
interface Days {
  readonly from: number;
  readonly to: number;
}

const SUMS = ['requests', 'quota_units', 'credits'] as const;

/** Lines read at once: those of a key and a year, as a rule. */
const LINES_PER_PAGE = 5000;

/** Tells what was used, from the totals: a handful of rows however many requests there were. */
@Injectable()
export class UsageReports {
  readonly #usage: Database;
  readonly #ofKey: KeysetList<Omit<UsageTotalEntity, 'key_id'>, 'day' | 'operation'>;

  constructor({ usage }: Database) {
    this.#usage = usage;
    this.#ofKey = usage.list({
      entity: UsageTotalEntity,
      filters: ['key_id'],
      keys: ['day', 'operation'],
      columns: SUMS,
    });
  }

  async ofKey(keyId: string, { from, to }: Days): Promise<UsageLine[]> {
    const lines: UsageLine[] = [];
    for await (const page of this.#usage.pages(this.#ofKey, { filters: [keyId], from, to, limit: LINES_PER_PAGE })) {
      for (const { day, ...line } of page) if (line.requests > 0) lines.push({ date: dateOf(day), ...line });
    }
    return lines;
  }

  /** Usage by key, day, month or operation, or several of them. @param keyId of this key alone */
  async summary({ from, to }: Days, by: readonly SummaryGrouping[], keyId?: string): Promise<SummaryLine[]> {
    const query = this.#usage.dataSource.createQueryBuilder(UsageTotalEntity, 'total').select([]);
    for (const [nth, grouping] of by.entries()) {
      const column = `total.${COLUMN_OF[grouping]}`;
      query.addSelect(column, `group${nth}`).addGroupBy(column);
    }
    for (const sum of SUMS) query.addSelect(`SUM(total.${sum})`, sum);
    query.where('total.day BETWEEN :from AND :to AND total.requests > 0', { from, to });
    if (keyId !== undefined) query.andWhere('total.key_id = :keyId', { keyId });
    const lines = new Map<string, SummaryLine>();
    for (const row of await query.getRawMany<Record<string, unknown>>()) {
      const group = by.map((grouping, nth) => GROUP_TEXT[grouping](row[`group${nth}`]));
      const line = lines.get(group.join(' '));
      // MySQL's sums are decimals, which come as text.
      const sums = {
        requests: Number(row.requests),
        quota_units: Number(row.quota_units),
        credits: Number(row.credits),
      };
      lines.set(group.join(' '), { group, ...(line === undefined ? sums : sumUsage([line, sums])) });
    }
    return [...lines.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
  }

  /** The last day on which each of these keys was used: a look at the end of its index each, however long its history. */
  async lastUsed(keyIds: readonly string[]): Promise<Map<string, string>> {
    const days = new Map<string, string>();
    for (const keyId of keyIds) {
      const last = await this.#usage.dataSource
        .createQueryBuilder(UsageTotalEntity, 'total')
        .select('total.day', 'day')
        .where('total.key_id = :keyId AND total.requests > 0', { keyId })
        .orderBy('total.day', 'DESC')
        .limit(1)
        .getRawOne<{ day: unknown }>();
      if (last !== undefined) days.set(keyId, dateOf(Number(last.day)));
    }
    return days;
  }
}

const GROUP_TEXT: Readonly<Record<SummaryGrouping, (value: unknown) => string>> = {
  key: String,
  operation: String,
  day: (day) => dateOf(Number(day)),
  month: (day) => dateOf(Number(day)).slice(0, 7),
};

export function sumUsage(lines: readonly UsageSums[]): UsageSums {
  const sum = (member: keyof UsageSums) => lines.reduce((total, line) => total + line[member], 0);
  return { requests: sum('requests'), quota_units: sum('quota_units'), credits: sum('credits') };
}
