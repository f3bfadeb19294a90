import { DAY_MS, startOfDay } from '../../model/calendar-date.js';
import { CalendarDate, InOrder } from '../../http/validation/parameters.js';

const MAX_DAYS = 366;

export class OwnUsageRequest {
  @CalendarDate('First UTC day, inclusive; default: the first of the current month')
  start_date?: string;

  @CalendarDate('Last UTC day, inclusive; default: the last of the current month')
  @InOrder('start_date', 'later')
  end_date?: string;

  /** Returns the requested days; a missing bound is that of the current month. @param now milliseconds since 1970 */
  daysAt(now: number): { from: string; to: string; tooLong: boolean } {
    const month = new Date(now);
    const first = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth(), 1));
    const last = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 0));
    const from = this.start_date ?? first.toISOString().slice(0, 10);
    const to = this.end_date ?? last.toISOString().slice(0, 10);
    return { from, to, tooLong: (startOfDay(to) - startOfDay(from)) / DAY_MS + 1 > MAX_DAYS };
  }
}
