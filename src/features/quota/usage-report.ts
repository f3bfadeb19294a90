import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { KeysetList } from '../../database/keyset.js';
import { UsageTotalEntity } from '../../receipts/usage.entities.js';
import type { UsageLine } from './usage-line.js';
import { formatDayNumber } from '../../receipts/usage-record.js';

export type UsageSums = Pick<UsageLine, 'requests' | 'quota_units' | 'credits'>;

/** Range of day numbers (`parseDayNumber`), both inclusive. */
interface DayNumbers {
  readonly from: number;
  readonly to: number;
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
}

/** Sums usage lines. */
export function sumUsage(lines: readonly UsageSums[]): UsageSums {
  const sum = (member: keyof UsageSums) => lines.reduce((total, line) => total + line[member], 0);
  return { requests: sum('requests'), quota_units: sum('quota_units'), credits: sum('credits') };
}
