import { Column, Entity } from 'typeorm';
import { BigintColumn, IdColumn, PlatformColumn } from '../../database/columns.js';
import type { Stored } from '../../database/statements.js';
import { endOfDay } from '../../model/calendar-date.js';
import { platformCode, platformFromCode } from '../../model/platforms.js';
import { parseDayNumber, formatDayNumber, toDayNumber } from '../../receipts/usage-record.js';
import type { Profile } from '../profiles/profile.js';
import type { HistoryLine, HistoryPoint } from './history.js';

/** Statistics of a profile on one UTC day. Clustered by profile and day, so that a request reads one range, and without another
 * index: it is the largest table after a year. */
@Entity('profile_history', { withoutRowid: true })
export class HistoryEntity {
  @PlatformColumn({ primary: true }) platform: number;
  @IdColumn({ primary: true }) profile_id: string;
  /** Day number, such as 20260131. */
  @Column({ type: 'int', primary: true }) day: number;
  /** Time of the observation, in milliseconds since 1970. The latest of the day is kept. */
  @BigintColumn() observed_at: number;
  @BigintColumn({ nullable: true }) followers: number | null;
  @BigintColumn({ nullable: true }) views_estimated: number | null;
}

/** Converts a profile to an observation of its statistics; null if it has no date or no statistics. */
export function deriveHistoryRow({ platform_id, id, updated_at, statistics }: Profile): Stored<HistoryEntity> | null {
  const { followers, views_estimated } = statistics;
  if (updated_at === null || (followers === null && views_estimated === null)) return null;
  const observed_at = Date.parse(updated_at);
  return {
    platform: platformCode(platform_id),
    profile_id: id,
    day: toDayNumber(observed_at),
    observed_at,
    followers,
    views_estimated,
  };
}

/** Converts an imported line. Without a time it counts as the end of its day. */
export const historyRowOf = (line: HistoryLine): Stored<HistoryEntity> => ({
  platform: platformCode(line.platform_id),
  profile_id: line.profile_id,
  day: parseDayNumber(line.date),
  observed_at: line.observed_at === null ? endOfDay(line.date) : Date.parse(line.observed_at),
  followers: line.followers,
  views_estimated: line.views_estimated,
});

/** Columns of a point. */
export const POINT_COLUMNS = ['followers', 'views_estimated'] as const;

/** Converts a row to the point that the API returns. */
export const pointOf = (row: Pick<HistoryEntity, 'day' | (typeof POINT_COLUMNS)[number]>): HistoryPoint => ({
  date: formatDayNumber(row.day),
  followers: row.followers,
  views_estimated: row.views_estimated,
});

/** Converts a row to a line that `import history` reads. */
export const historyLineOf = (row: HistoryEntity): HistoryLine => ({
  platform_id: platformFromCode(row.platform),
  // MySQL returns IDs as bytes.
  profile_id: String(row.profile_id),
  observed_at: new Date(Number(row.observed_at)).toISOString(),
  ...pointOf(row),
});
