import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { KeysetList } from '../../database/keyset.js';
import { DAY_MS, startOfDay } from '../../model/calendar-date.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import { formatDayNumber, parseDayNumber } from '../../receipts/usage-record.js';
import { HistoryEntity, pointOf, POINT_COLUMNS } from './history.entity.js';
import type { HistoryPoint } from './history.js';

/** All queries on the history of profiles. */
@Injectable()
export class HistoryQueries {
  readonly #days: KeysetList<Pick<HistoryEntity, 'day' | (typeof POINT_COLUMNS)[number]>, 'day'>;

  constructor(private readonly database: Database) {
    this.#days = database.list({
      entity: HistoryEntity,
      filters: ['platform', 'profile_id'],
      keys: ['day'],
      columns: POINT_COLUMNS,
    });
  }

  /** Finds the points of a range, oldest first. @param from first day, inclusive, like `to` */
  async findPoints(platform: Platform, profileId: string, from: string, to: string): Promise<HistoryPoint[]> {
    const rows = await this.database.page(this.#days, {
      filters: [platformCode(platform), profileId],
      from: parseDayNumber(from),
      to: parseDayNumber(to),
      limit: (startOfDay(to) - startOfDay(from)) / DAY_MS + 1,
    });
    return rows.map(pointOf);
  }

  /** Finds the first day with an observation; null without any. */
  async findFirstDay(platform: Platform, profileId: string): Promise<string | null> {
    const filters = [platformCode(platform), profileId];
    const [first] = await this.database.page(this.#days, { filters, limit: 0 });
    return first === undefined ? null : formatDayNumber(first.day);
  }
}
