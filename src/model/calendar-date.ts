export const DAY_MS = 86_400_000;

/** Reports whether a text is an existing calendar date in the form `YYYY-MM-DD`. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const start = Date.parse(`${text}T00:00:00.000Z`);
  // `Date.parse` rolls a day beyond the end of its month over into the next month.
  return !Number.isNaN(start) && new Date(start).toISOString().startsWith(text);
}

/** Returns the first millisecond of a UTC day. @param date a valid calendar date */
export const startOfDay = (date: string): number => Date.parse(`${date}T00:00:00.000Z`);

/** Returns the last millisecond of a UTC day. @param date a valid calendar date */
export const endOfDay = (date: string): number => startOfDay(date) + DAY_MS - 1;
