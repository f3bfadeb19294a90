import { DAY_MS } from '../../model/calendar-date.js';
import { observe, UNDATED, type Known, type Members } from './observations.js';

/** Statistics of profiles whose history is kept. */
export const TRACKED_STATISTICS = ['followers', 'views_estimated'] as const;

export type TrackedStatistic = (typeof TRACKED_STATISTICS)[number];

/** What the responses of one UTC day say about a profile's statistics. */
export interface DailyStatistics {
  /** Time of the day's latest response, in milliseconds since 1970; `UNDATED` for responses without a time. */
  at: number;
  /** The latest observation of each statistic in the day. */
  readonly members: Members;
}

/** Daily statistics by number of the day since 1970; responses without a time are before it. */
export type StatisticsByDay = Map<number, DailyStatistics>;

/** Adds a response. The result does not depend on the order. */
export function observeDay(days: StatisticsByDay, known: Known, at: number): void {
  // Such a response does not change `updated_at` either.
  if (Object.keys(known).length === 0) return;
  const number = at === UNDATED ? UNDATED : Math.floor(at / DAY_MS);
  let day = days.get(number);
  if (day === undefined) days.set(number, (day = { at, members: new Map() }));
  else if (at > day.at) day.at = at;
  for (const name of TRACKED_STATISTICS) {
    const value = known.statistics?.[name];
    if (value !== undefined) observe(day.members, name, { at, value });
  }
}
