import { DAY_MS, startOfDay } from '../../model/calendar-date.js';
import { CalendarDate, InOrder, OneOf } from '../../http/validation/parameters.js';
import { INTERVALS, intervalOf, type Interval } from './intervals.js';

/** Most days, weeks or months of a range. */
export const MAX_INTERVALS = 366;

/** Days before the last one of a range whose first one is not given. */
const DEFAULT_DAYS_BEFORE = 89;

export class HistoryRequest {
  @CalendarDate('First UTC day, inclusive; default: 89 days before the last')
  start_date?: string;

  @CalendarDate('Last UTC day, inclusive; default: today')
  @InOrder('start_date', 'later')
  end_date?: string;

  @OneOf(INTERVALS, 'day', 'The last observation of each day, week (from Monday) or month')
  interval: Interval = 'day';

  /** Returns the requested days. @param now milliseconds since 1970 */
  daysAt(now: number): { from: string; to: string; intervals: number } {
    const to = this.end_date ?? new Date(now).toISOString().slice(0, 10);
    const from = this.start_date ?? daysBefore(to, DEFAULT_DAYS_BEFORE);
    return { from, to, intervals: intervalOf(to, this.interval) - intervalOf(from, this.interval) + 1 };
  }
}

/** No date is before the year 0, whose text would not be a calendar date. */
function daysBefore(date: string, days: number): string {
  return new Date(Math.max(startOfDay(date) - days * DAY_MS, startOfDay('0000-01-01'))).toISOString().slice(0, 10);
}
