import { parseDateTime } from '../../model/date-time.js';

/** Date formats of the sources: RFC 3339, also with a space instead of T, a zone without a colon, or no time. */
const INSTANT =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:[Tt ](\d\d:\d\d)(?:(:\d\d)(?:[.,](\d+))?)? ?(?:([Zz]|UTC|GMT)|([+-]\d\d)(?::?(\d\d))?))?$/;

const CANONICAL_WITHOUT_FRACTION = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/** Parses a date into canonical text, truncated to milliseconds; null if it is invalid. A date without a time is midnight UTC. */
export function parseInstantText(text: string): string | null {
  if (CANONICAL_WITHOUT_FRACTION.test(text)) return `${text.slice(0, -1)}.000Z`;
  const match = INSTANT.exec(text);
  if (match === null) return null;
  const [, year, month, day, time = '00:00', seconds = ':00', fraction = '', , hours, minutes = '00'] = match;
  const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`;
  const millis = fraction.slice(0, 3).padEnd(3, '0');
  const reading = parseDateTime(`${year}-${month}-${day}T${time}${seconds}.${millis}${zone}`);
  return 'canonical' in reading ? reading.canonical : null;
}

const YEAR_0 = Date.parse('0000-01-01T00:00:00Z');
const YEAR_10000 = Date.UTC(10_000, 0, 1);

/** Formats milliseconds since 1970; null outside the years 0 to 9999. */
export function formatInstant(millis: number): string | null {
  const whole = Math.floor(millis);
  return whole >= YEAR_0 && whole < YEAR_10000 ? new Date(whole).toISOString() : null;
}

/** Adds milliseconds to an instant; null outside the years 0 to 9999. */
export function addMillis(instant: string, millis: number): string | null {
  return formatInstant(Date.parse(instant) + millis);
}

const INSTAGRAM_EPOCH_MS = 1_314_220_021_721n;

/**
 * Returns when an Instagram ID was generated: its upper bits count milliseconds.
 *
 * @param code the ID in base64url
 */
export function decodeShortcodeTime(code: string): string | null {
  const bytes = Buffer.from(code.padStart(12, 'A'), 'base64url');
  return formatInstant(Number((bytes.readBigUInt64BE(1) >> 23n) + INSTAGRAM_EPOCH_MS));
}

const X_EPOCH_MS = 1_288_834_974_657n;

/** Returns when an X ID was generated: its upper bits count milliseconds. Null for IDs of another form. */
export function decodeSnowflakeTime(id: string): string | null {
  if (!/^\d{10,19}$/.test(id)) return null;
  return formatInstant(Number((BigInt(id) >> 22n) + X_EPOCH_MS));
}
