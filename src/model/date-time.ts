/** A date-time in its canonical text, or what is wrong with the given one, worded to follow the member's name. */
export type DateTimeReading = { canonical: string } | { problem: string };

/** ISO 8601 to UTC with ms. Date, seconds and zone are required, finer fractions refused: no invented data. */
export function readDateTime(text: string): DateTimeReading {
  if (SURELY_CANONICAL.test(text)) return { canonical: text };

  const match = DATE_TIME.exec(text);
  if (match === null) return { problem: 'must be a date-time such as 2026-01-31T09:30:00.000Z' };
  const [, seconds = '', fraction = '', zone = ''] = match;
  if (/[1-9]/.test(fraction.slice(3))) return { problem: 'must not be finer than milliseconds' };

  const local = `${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
  const localMs = Date.parse(local);
  const offsetMs = zoneOffsetMs(zone);
  if (offsetMs === undefined || isoText(localMs) !== local) return { problem: 'must be a date and time that exist' };

  const canonical = isoText(localMs - offsetMs);
  if (canonical.length !== local.length) return { problem: 'must be within the years 0000 to 9999 in UTC' };
  return { canonical };
}

/** Canonical text on a day that every month has: right as it stands, which is what nearly every loaded line holds. */
const SURELY_CANONICAL = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

const DATE_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/;

/** The ISO text of an instant, empty for none. It differs from the parsed text where the parser rolled a date over. */
function isoText(ms: number): string {
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString();
}

/** Milliseconds a zone is ahead of UTC; undefined when its hours or minutes do not exist. */
function zoneOffsetMs(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4));
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
