/** Result of parsing a date-time: its canonical text, or a problem worded to follow the member's name. */
export type ParsedDateTime = { canonical: string } | { problem: string };

/** Converts an ISO 8601 date-time to UTC with milliseconds. Rejects a text without date, seconds or zone, and fractions finer
 * than a millisecond: completing or rounding them would invent data. */
export function parseDateTime(text: string): ParsedDateTime {
  if (CANONICAL.test(text)) return { canonical: text };

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

/** Canonical text on day 1 to 28, which every month has. Nearly every imported value matches and needs no parsing. */
const CANONICAL = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

const DATE_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/;

/** Returns the ISO text of an instant, or an empty text for NaN. It differs from the parsed text if the parser rolled the date
 * over. */
function isoText(ms: number): string {
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString();
}

/** Returns the offset of a zone from UTC in milliseconds; undefined if its hours or minutes are out of range. */
function zoneOffsetMs(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4));
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
