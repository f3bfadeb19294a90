import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { KeysetList } from '../../database/keyset.js';
import { UsageTotalEntity } from '../../receipts/usage.entities.js';
import type { UsageLine } from './usage-line.js';
import { sumUsage } from './usage-sums.js';
import { monthOfDay, nextMonthSeconds, type MonthAllowance } from '../../receipts/allowances.js';
import { formatDayNumber, toDayNumber } from '../../receipts/usage-record.js';

/** Range of day numbers (`parseDayNumber`), both inclusive. */
interface DayNumbers {
  readonly from: number;
  readonly to: number;
}

interface UsedAllowance {
  readonly limit: number;
  readonly used: number;
}

/** Member `allowance` of `meta`. */
interface Allowance {
  readonly quota_units: UsedAllowance | null;
  readonly credits: UsedAllowance | null;
  readonly resets_at: string;
}

const SUMS = ['requests', 'quota_units', 'credits'] as const;

/** Lines per read, which are usually all lines of a key in a year. */
const LINES_PER_PAGE = 5000;

/** Reads the usage of a key from the totals, which have one row per day and operation. */
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

  /** Lists the usage of a key, ordered by day and operation. */
  async listUsage(keyId: string, { from, to }: DayNumbers): Promise<UsageLine[]> {
    const lines: UsageLine[] = [];
    for await (const page of this.#usage.pages(this.#ofKey, { filters: [keyId], from, to, limit: LINES_PER_PAGE })) {
      for (const { day, ...line } of page) if (line.requests > 0) lines.push({ date: formatDayNumber(day), ...line });
    }
    return lines;
  }

  /** Describes the month allowance of a key. @param now milliseconds since 1970 */
  async describeAllowance(
    keyId: string,
    { monthUnits, monthCredits }: MonthAllowance,
    now: number,
  ): Promise<Allowance> {
    const firstDay = monthOfDay(toDayNumber(now)) * 100;
    const used = sumUsage(await this.listUsage(keyId, { from: firstDay, to: firstDay + 31 }));
    return {
      quota_units: allowanceOf(monthUnits, used.quota_units),
      credits: allowanceOf(monthCredits, used.credits),
      resets_at: new Date(nextMonthSeconds(now) * 1000).toISOString(),
    };
  }
}

const allowanceOf = (limit: number | null, used: number): UsedAllowance | null =>
  limit === null ? null : { limit, used };
