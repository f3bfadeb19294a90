import { startOfDay, DAY_MS } from '../../model/calendar-date.js';
import { formatDayNumber, toDayNumber } from '../../receipts/usage-record.js';
import type { SummaryLine } from '../usage/usage-summary.js';
import type { BillingMonth } from './bill.js';

/** A month with its first and last day as day numbers. */
export interface CalendarMonth extends BillingMonth {
  readonly from: number;
  readonly to: number;
}

/** Returns the bounds of a month. @param text `2026-01` */
export function calendarMonth(text: string): CalendarMonth {
  const firstMs = startOfDay(`${text}-01`);
  // `Date.UTC` would read the years 0 to 99 as 1900 to 1999.
  const next = new Date(firstMs + 31 * DAY_MS).toISOString().slice(0, 7);
  const lastMs = startOfDay(`${next}-01`) - 1;
  return { month: text, firstMs, lastMs, from: toDayNumber(firstMs), to: toDayNumber(lastMs) };
}

/** Returns a line for each day of the month, with zeros for days without one. */
export function fillDays({ from, to }: CalendarMonth, lines: readonly SummaryLine[]): SummaryLine[] {
  const linesByDay = new Map(lines.map((line) => [line.group[0], line]));
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const day = formatDayNumber(from + index);
    return linesByDay.get(day) ?? { group: [day], requests: 0, quota_units: 0, credits: 0 };
  });
}
