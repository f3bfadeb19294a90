import { readDateTime } from '../../model/date-time.js';

/** Every form in which sources write a date: RFC 3339 with any fraction, a space for the T, a zone without a colon, no time. */
const INSTANT =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:[Tt ](\d\d:\d\d)(?:(:\d\d)(?:[.,](\d+))?)? ?(?:([Zz]|UTC|GMT)|([+-]\d\d)(?::?(\d\d))?))?$/;

const PLAIN = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/** A date in its canonical text, to the millisecond (finer ones are cut); a date without a time is midnight UTC. Null: none. */
export function readInstant(text: string): string | null {
  if (PLAIN.test(text)) return `${text.slice(0, -1)}.000Z`;
  const match = INSTANT.exec(text);
  if (match === null) return null;
  const [, year, month, day, time = '00:00', seconds = ':00', fraction = '', , hours, minutes = '00'] = match;
  const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`;
  const millis = fraction.slice(0, 3).padEnd(3, '0');
  const reading = readDateTime(`${year}-${month}-${day}T${time}${seconds}.${millis}${zone}`);
  return 'canonical' in reading ? reading.canonical : null;
}

const YEAR_0 = Date.parse('0000-01-01T00:00:00Z');
const YEAR_10000 = Date.UTC(10_000, 0, 1);

/** The instant so many milliseconds after 1970; null outside the years 0 to 9999. */
export function instantOfMillis(millis: number): string | null {
  const whole = Math.floor(millis);
  return whole >= YEAR_0 && whole < YEAR_10000 ? new Date(whole).toISOString() : null;
}

/** The instant so many milliseconds after another. */
export function later(instant: string, millis: number): string | null {
  return instantOfMillis(Date.parse(instant) + millis);
}

const INSTAGRAM_EPOCH_MS = 1_314_220_021_721n;

/** When an ID of Instagram was given out: its upper bits count milliseconds. @param code the ID in base64url */
export function instantOfShortcode(code: string): string | null {
  const bytes = Buffer.from(code.padStart(12, 'A'), 'base64url');
  return instantOfMillis(Number((bytes.readBigUInt64BE(1) >> 23n) + INSTAGRAM_EPOCH_MS));
}

const X_EPOCH_MS = 1_288_834_974_657n;

/** When an ID of X was given out: its upper bits count milliseconds. */
export function instantOfSnowflake(id: string): string | null {
  if (!/^\d{10,19}$/.test(id)) return null;
  return instantOfMillis(Number((BigInt(id) >> 22n) + X_EPOCH_MS));
}
