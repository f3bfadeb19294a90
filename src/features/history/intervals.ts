import { DAY_MS, startOfDay } from '../../model/calendar-date.js';

/** Lengths of the intervals that a history is divided into. */
export const INTERVALS = ['day', 'week', 'month'] as const;

export type Interval = (typeof INTERVALS)[number];

/** Days from 1 January 1970, a Thursday, back to the Monday of its week. */
const DAYS_SINCE_MONDAY = 3;

/** Numbers the interval that a day is in; consecutive intervals have consecutive numbers. Weeks begin on Monday.
 * @param date a valid calendar date */
export function intervalOf(date: string, interval: Interval): number {
  const day = startOfDay(date) / DAY_MS;
  if (interval === 'day') return day;
  if (interval === 'week') return Math.floor((day + DAYS_SINCE_MONDAY) / 7);
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7));
}

/** Returns the last of the points in each interval. @param points sorted by date */
export function lastOfEach<P extends { readonly date: string }>(points: readonly P[], interval: Interval): P[] {
  return points.filter((point, index) => {
    const next = points[index + 1];
    return next === undefined || intervalOf(next.date, interval) !== intervalOf(point.date, interval);
  });
}
