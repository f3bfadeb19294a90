import { Column, Entity } from 'typeorm';
import { BigintColumn, IdColumn, PlatformColumn } from '../../database/columns.js';
import type { Stored } from '../../database/statements.js';
import { endOfDay } from '../../model/calendar-date.js';
import { platformCode, platformFromCode } from '../../model/platforms.js';
import { parseDayNumber, formatDayNumber, toDayNumber } from '../../receipts/usage-record.js';
import { NOT_AN_OBSERVATION, type ProfileEntity } from '../profiles/profile.entity.js';
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

/** Columns of a profile that tell which observation it holds. */
export const HELD_COLUMNS = ['observed_at', 'observed_followers', 'observed_views'] as const;

export type HeldColumns = Pick<ProfileEntity, (typeof HELD_COLUMNS)[number]>;

type Holder = HeldColumns & Pick<ProfileEntity, 'platform' | 'id'>;

/** Returns the observation that a profile holds; null if it holds none. The latest observation is not stored twice: `profile_history`
 * gets it when another version replaces the profile. */
export function heldObservation(profile: Holder): Stored<HistoryEntity> | null {
  const observed_at = Number(profile.observed_at ?? NOT_AN_OBSERVATION);
  if (observed_at === NOT_AN_OBSERVATION) return null;
  return {
    platform: profile.platform,
    profile_id: String(profile.id),
    day: toDayNumber(observed_at),
    observed_at,
    followers: numberOrNull(profile.observed_followers),
    views_estimated: numberOrNull(profile.observed_views),
  };
}

const numberOrNull = (value: number | null): number | null => (value === null ? null : Number(value));

/** Converts an imported line. Without a time it counts as the end of its day. */
export const historyRowOf = (line: HistoryLine): Stored<HistoryEntity> => ({
  platform: platformCode(line.platform_id),
  profile_id: line.profile_id,
  day: parseDayNumber(line.date),
  observed_at: line.observed_at === null ? endOfDay(line.date) : Date.parse(line.observed_at),
  followers: line.followers,
  views_estimated: line.views_estimated,
});

/** Columns of an observation beside its key. */
export const OBSERVATION_COLUMNS = ['observed_at', 'followers', 'views_estimated'] as const;

/** Observation of a known profile. */
export type ObservedDay = Pick<HistoryEntity, 'day' | (typeof OBSERVATION_COLUMNS)[number]>;

/** Converts a row to the point that the API returns. */
export const pointOf = (row: Omit<ObservedDay, 'observed_at'>): HistoryPoint => ({
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
