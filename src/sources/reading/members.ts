/// <reference lib="es2024.string" />
import { z } from 'zod';
import { millisOfSeconds, readIsoDuration, readLetterDuration } from './durations.js';
import { instantOfMillis, instantOfShortcode, readInstant } from './instants.js';

// What members of native documents are, once read. A check may change the value, and costs a tenth of what a transform does.

class Problem {
  constructor(readonly message: string) {}
}

/** A member that may be left out. Null stays null: the source says that there is none. */
function member<Out>(convert: (value: unknown) => Out | Problem) {
  const schema = z.unknown().check((context) => {
    const { value } = context;
    if (value === null || value === undefined) return;
    const converted = convert(value);
    if (converted instanceof Problem) {
      context.issues.push({ code: 'custom', input: value, message: converted.message });
    } else context.value = converted;
  });
  // What the check leaves behind is not what zod infers from it.
  return schema.optional() as unknown as z.ZodOptional<z.ZodType<Out | null>>;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Text as it can be stored: NUL and half surrogate pairs become U+FFFD. */
export function storable(value: string): string {
  const wellFormed = value.isWellFormed() ? value : value.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '\u{FFFD}') : wellFormed;
}

const NOT_TEXT = new Problem('must be a string');

/** A text; an empty one is none. */
export const text = member<string | null>((value) =>
  isText(value) ? (value === '' ? null : storable(value)) : NOT_TEXT,
);

const NOT_ID = new Problem('must be a string or an integer below 2^53');

/** An ID, as text or as a number; an empty one is none. */
export const id = member<string | null>((value) => {
  if (isText(value)) return value === '' ? null : value;
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : NOT_ID;
});

const NOT_COUNT = new Problem('must be an integer below 2^53, as a number or as text');

/** A count, as a number or as text; an empty text is none. */
export const count = member<number | null>((value) => {
  if (value === '') return null;
  const number = isText(value) && /^-?\d+(?:\.0*)?$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : NOT_COUNT;
});

const ROUNDED = /^(\d+(?:\.\d+)?) ?([kmb]?)$/i;
const FACTORS: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, b: 1e9 };
const NOT_ROUNDED = new Problem('must be a count such as 1234, 1,234 or 1.2k');

/** A count as people write it: `475.8m`. */
export const roundedCount = member<number | null>((value) => {
  if (value === '') return null;
  const [, digits, unit = ''] = (isText(value) && ROUNDED.exec(value.replaceAll(',', ''))) || [];
  const rounded = Math.round(Number(digits) * (FACTORS[unit.toLowerCase()] ?? 1));
  return Number.isSafeInteger(rounded) ? rounded : NOT_ROUNDED;
});

const NOT_NUMBER = new Problem('must be a number');

/** A number that need not be whole. */
export const number = member<number | null>((value) => {
  if (value === '') return null;
  const parsed = isText(value) ? Number(value) : value;
  return typeof parsed === 'number' && Number.isFinite(parsed) ? parsed : NOT_NUMBER;
});

const TRUTHS: ReadonlyMap<unknown, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['', null],
]);
const NOT_TRUTH = new Problem('must be true or false');

/** Yes or no; in a CSV file as text, in any case. */
export const truth = member<boolean | null>((value) => {
  if (typeof value === 'boolean') return value;
  const read = isText(value) ? TRUTHS.get(value.toLowerCase()) : undefined;
  return read === undefined ? NOT_TRUTH : read;
});

const NOT_INSTANT = new Problem('must be a date and time with a zone, such as 2026-01-31T09:30:00Z');

/** A date as text. */
export const instant = member<string | null>((value) => {
  if (value === '') return null;
  return (isText(value) ? readInstant(value) : null) ?? NOT_INSTANT;
});

function unixTime(factor: number, unit: string) {
  const problem = new Problem(`must be ${unit} since 1970`);
  return member<string | null>((value) => {
    if (value === '') return null;
    const number = isText(value) && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
    return (typeof number === 'number' ? instantOfMillis(number * factor) : null) ?? problem;
  });
}

/** A date as seconds since 1970. */
export const unixSeconds = unixTime(1000, 'seconds');

/** A date as milliseconds since 1970. */
export const unixMillis = unixTime(1, 'milliseconds');

function length(read: (text: string) => number | null, example: string) {
  const problem = new Problem(`must be a duration such as ${example}`);
  return member<number | null>((value) => {
    if (value === '') return null;
    return (isText(value) ? read(value) : null) ?? problem;
  });
}

/** A number in the letters of base64url, as Instagram makes addresses of. */
const SHORTCODE = /^[\w-]{9,11}$/;
const NOT_SHORTCODE = new Problem('must be the code in the address of a post');

/** When the post with this code in its address was made, within about a second. Longer codes are of posts for few. */
export const shortcodeTime = member<string | null>((value) => {
  if (value === '') return null;
  return (isText(value) && SHORTCODE.test(value) ? instantOfShortcode(value) : null) ?? NOT_SHORTCODE;
});

/** A length such as `PT1H2M3S`, in milliseconds. */
export const isoDuration = length(readIsoDuration, 'PT1H2M3S');

/** A length such as `3h8m33s`, in milliseconds. */
export const letterDuration = length(readLetterDuration, '3h8m33s');

const NOT_SECONDS = new Problem('must be a number of seconds');

/** A length in seconds, whole or not, in milliseconds. */
export const secondsLong = member<number | null>((value) => {
  if (value === '') return null;
  const seconds = isText(value) ? Number(value) : value;
  return (typeof seconds === 'number' ? millisOfSeconds(seconds) : null) ?? NOT_SECONDS;
});

const NOT_TEXTS = new Problem('must be an array of strings');

/** Texts; empty ones are left out. */
export const texts = member<readonly string[]>((value) => {
  if (!Array.isArray(value) || !value.every(isText)) return NOT_TEXTS;
  return value.filter((item) => item !== '').map(storable);
});

/** An object with these members, others ignored. */
export function part<T extends z.ZodRawShape>(members: T) {
  return z.object(members, { error: 'must be an object' }).nullish();
}

/** An array of such objects. */
export function parts<T extends z.ZodRawShape>(members: T) {
  return z.array(z.object(members, { error: 'must be an object' }), { error: 'must be an array' }).nullish();
}
