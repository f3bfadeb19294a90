export const DAY_MS = 86_400_000;

/** Whether a text is a calendar date that exists, as `YYYY-MM-DD`. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const start = Date.parse(`${text}T00:00:00.000Z`);
  // A day that the month does not have is moved into the next one.
  return !Number.isNaN(start) && new Date(start).toISOString().startsWith(text);
}

/** First millisecond of a UTC day. @param date a calendar date */
export const startOfDay = (date: string): number => Date.parse(`${date}T00:00:00.000Z`);

/** Last millisecond of a UTC day. @param date a calendar date */
export const endOfDay = (date: string): number => startOfDay(date) + DAY_MS - 1;
