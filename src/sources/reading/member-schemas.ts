/// <reference lib="es2024.string" />
import * as z from 'zod';
import { secondsToMillis, parseIsoDuration, parseLetterDuration } from './durations.js';
import { formatInstant, decodeShortcodeTime, parseInstantText } from './instants.js';

// Schemas for the members of native documents. They convert values in a check, not in a transform.

class Problem {
  constructor(readonly message: string) {}
}

/** Creates the schema of an optional member. Null stays null: the source states that the value is empty. */
function member<Out>(convert: (value: unknown) => Out | Problem) {
  const schema = z.unknown().check((context) => {
    const { value } = context;
    if (value === null || value === undefined) return;
    const converted = convert(value);
    if (converted instanceof Problem) {
      context.issues.push({ code: 'custom', input: value, message: converted.message });
    } else context.value = converted;
  });
  // zod cannot infer the type of a value that a check replaced.
  return schema.optional() as unknown as z.ZodOptional<z.ZodType<Out | null>>;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Replaces NUL and half surrogate pairs, which cannot be stored, by U+FFFD. */
export function replaceUnstorable(value: string): string {
  const wellFormed = value.isWellFormed() ? value : value.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '\u{FFFD}') : wellFormed;
}

const NOT_TEXT = new Problem('must be a string');

/** Text; empty text becomes null. */
export const text = member<string | null>((value) =>
  isText(value) ? (value === '' ? null : replaceUnstorable(value)) : NOT_TEXT,
);

const NOT_ID = new Problem('must be a string or an integer below 2^53');

/** ID, as text or number; empty text becomes null. */
export const id = member<string | null>((value) => {
  if (isText(value)) return value === '' ? null : value;
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : NOT_ID;
});

const NOT_COUNT = new Problem('must be an integer below 2^53, as a number or as text');

/** Count, as number or text; empty text becomes null. */
export const count = member<number | null>((value) => {
  if (value === '') return null;
  const number = isText(value) && /^-?\d+(?:\.0*)?$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : NOT_COUNT;
});

/** A comma may only group thousands: in `1,5m` it would be a decimal sign. */
const ROUNDED = /^(\d+|\d{1,3}(?:,\d{3})+)(\.\d+)? ?([kmb]?)$/i;
const FACTORS: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, b: 1e9 };
const NOT_ROUNDED = new Problem('must be a count such as 1234, 1,234 or 1.2k');

/** Abbreviated count such as `475.8m`. */
export const roundedCount = member<number | null>((value) => {
  if (value === '') return null;
  const [, digits, fraction = '', unit = ''] = (isText(value) && ROUNDED.exec(value)) || [];
  const rounded = Math.round(Number(`${digits?.replaceAll(',', '')}${fraction}`) * (FACTORS[unit.toLowerCase()] ?? 1));
  return Number.isSafeInteger(rounded) ? rounded : NOT_ROUNDED;
});

const NOT_NUMBER = new Problem('must be a number');

/** Number, not necessarily an integer. */
export const number = member<number | null>((value) => {
  if (value === '') return null;
  const parsed = isText(value) ? Number(value) : value;
  return typeof parsed === 'number' && Number.isFinite(parsed) ? parsed : NOT_NUMBER;
});

const BOOLEANS: ReadonlyMap<unknown, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['', null],
]);
const NOT_BOOLEAN = new Problem('must be true or false');

/** Boolean, or its text in a CSV file, in upper or lower case. */
export const booleanOrText = member<boolean | null>((value) => {
  if (typeof value === 'boolean') return value;
  const read = isText(value) ? BOOLEANS.get(value.toLowerCase()) : undefined;
  return read === undefined ? NOT_BOOLEAN : read;
});

const NOT_INSTANT = new Problem('must be a date and time with a zone, such as 2026-01-31T09:30:00Z');

/** Date as text. */
export const instant = member<string | null>((value) => {
  if (value === '') return null;
  return (isText(value) ? parseInstantText(value) : null) ?? NOT_INSTANT;
});

function unixTime(factor: number, unit: string) {
  const problem = new Problem(`must be ${unit} since 1970`);
  return member<string | null>((value) => {
    if (value === '') return null;
    const number = isText(value) && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
    return (typeof number === 'number' ? formatInstant(number * factor) : null) ?? problem;
  });
}

/** Date in seconds since 1970. */
export const unixSeconds = unixTime(1000, 'seconds');

/** Date in milliseconds since 1970. */
export const unixMillis = unixTime(1, 'milliseconds');

function duration(read: (text: string) => number | null, example: string) {
  const problem = new Problem(`must be a duration such as ${example}`);
  return member<number | null>((value) => {
    if (value === '') return null;
    return (isText(value) ? read(value) : null) ?? problem;
  });
}

/** Instagram shortcode, an ID in base64url. Posts with a restricted audience have longer codes. */
const SHORTCODE = /^[\w-]{9,11}$/;
const NOT_SHORTCODE = new Problem('must be the shortcode in the URL of a post');

/** Creation time of the post with this shortcode, accurate to about one second. */
export const shortcodeTime = member<string | null>((value) => {
  if (value === '') return null;
  return (isText(value) && SHORTCODE.test(value) ? decodeShortcodeTime(value) : null) ?? NOT_SHORTCODE;
});

/** Duration such as `PT1H2M3S`, converted to milliseconds. */
export const isoDuration = duration(parseIsoDuration, 'PT1H2M3S');

/** Duration such as `3h8m33s`, converted to milliseconds. */
export const letterDuration = duration(parseLetterDuration, '3h8m33s');

const NOT_SECONDS = new Problem('must be a number of seconds');

/** Duration in seconds, possibly fractional, converted to milliseconds. */
export const secondsDuration = member<number | null>((value) => {
  if (value === '') return null;
  const seconds = isText(value) ? Number(value) : value;
  return (typeof seconds === 'number' ? secondsToMillis(seconds) : null) ?? NOT_SECONDS;
});

const NOT_TEXTS = new Problem('must be an array of strings');

/** Array of texts; empty texts are dropped. */
export const texts = member<readonly string[]>((value) => {
  if (!Array.isArray(value) || !value.every(isText)) return NOT_TEXTS;
  return value.filter((item) => item !== '').map(replaceUnstorable);
});

/** Optional object with these members; other members are ignored. */
export function optionalObject<T extends z.ZodRawShape>(members: T) {
  return z.object(members, { error: 'must be an object' }).nullish();
}

/** Optional array of such objects. */
export function optionalObjects<T extends z.ZodRawShape>(members: T) {
  return z.array(z.object(members, { error: 'must be an object' }), { error: 'must be an array' }).nullish();
}
