import { DAY_MS } from '../../model/calendar-date.js';

const HOUR_MS = 3_600_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the day of an instant in a time zone, in days since 1970. */
export function quotaDay(at: number, timeZone: string): number {
  let format = formats.get(timeZone);
  // The locale writes dates as YYYY-MM-DD. Creating a format takes longer than using it.
  if (format === undefined) formats.set(timeZone, (format = new Intl.DateTimeFormat('en-CA', { timeZone })));
  return Date.parse(`${format.format(at)}T00:00:00Z`) / DAY_MS;
}

/** Returns when the next day begins in a time zone whose days begin on a full UTC hour. */
export function nextQuotaDay(at: number, timeZone: string): number {
  const today = quotaDay(at, timeZone);
  let next = Math.floor(at / HOUR_MS) * HOUR_MS + HOUR_MS;
  while (quotaDay(next, timeZone) === today) next += HOUR_MS;
  return next;
}
