// String.isWellFormed: in Node 20, but not in the build's language level.
/// <reference lib="es2024.string" />
import { z } from 'zod';
import { readDateTime } from './date-time.js';

/*
 * The building blocks of every wire shape: one schema validates import lines, fills in defaults, and gives the type and
 * the OpenAPI schema. Messages follow the name of the member: `id` + `is missing`.
 */

/** The longest ID, in UTF-8 bytes: what an indexed column holds on every supported database. */
export const MAX_ID_BYTES = 255;

/** An error option: the given problem, or `is missing` for a member that is not there. */
function saying(problem: string) {
  return { error: (issue: { input?: unknown }) => (issue.input === undefined ? 'is missing' : problem) };
}

/**
 * A string with a rule that returns a problem or undefined. A lone surrogate is always refused: it has no UTF-8 form and
 * would be stored as another character.
 */
export function textThat(problemOf: (text: string) => string | undefined) {
  return z.string(saying('must be a string')).check((context) => {
    const text = context.value;
    const problem = text.isWellFormed() ? problemOf(text) : 'must not contain half a surrogate pair';
    if (problem !== undefined) context.issues.push({ code: 'custom', input: text, message: problem });
  });
}

/** Any text, of any length. */
export const text = textThat(() => undefined);

/** Text of at most so many bytes in UTF-8: what an indexed column holds. */
export function textUpToBytes(maxBytes: number) {
  return textThat((value) =>
    value.length * 3 > maxBytes && Buffer.byteLength(value) > maxBytes
      ? `must have at most ${maxBytes} bytes in UTF-8`
      : undefined,
  );
}

/** What is wrong with a text as a value to look records up by; undefined when nothing is. It may be empty. */
export function lookupProblem(value: string): string | undefined {
  // A UTF-16 unit takes at most three bytes, so short values need no counting.
  if (value.length * 3 > MAX_ID_BYTES && Buffer.byteLength(value) > MAX_ID_BYTES) {
    return `must have at most ${MAX_ID_BYTES} bytes in UTF-8`;
  }
  return value.includes('\0') ? 'must not contain the character U+0000' : undefined;
}

/** An ID: opaque, case-sensitive, never empty. */
export const id = textThat((value) => (value === '' ? 'must not be empty' : lookupProblem(value))).meta({
  minLength: 1,
});

/**
 * An integer that a double holds exactly. Checking the parsed number is enough: integers beyond 2^53 - 1 parse to numbers
 * beyond it. `1.0` and `1e3` are integers, as in JSON Schema.
 */
export const integer = z.int(saying('must be an integer from -(2^53 - 1) to 2^53 - 1')).meta({ format: 'int64' });

/** Any number but one too large to hold (`1e400` parses to Infinity). */
export const number = z.number(saying('must be a number'));

export const boolean = z.boolean(saying('must be true or false'));

/** One of a closed set of words. */
export function oneOf<const T extends readonly string[]>(values: T) {
  return z.enum(values, saying(`must be one of ${values.join(', ')}`));
}

/** A date-time, brought to UTC with milliseconds. */
export const dateTime = z
  .string(saying('must be a date-time such as 2026-01-31T09:30:00.000Z'))
  .check((context) => {
    const reading = readDateTime(context.value);
    if ('canonical' in reading) context.value = reading.canonical;
    else context.issues.push({ code: 'custom', input: context.value, message: reading.problem });
  })
  .meta({ format: 'date-time' });

/** A member that may be unknown: null, and left out means null. */
export function nullable<T extends z.ZodType>(schema: T) {
  return z.nullable(schema).default(null);
}

/** An array; left out or null means empty. */
export function list<T extends z.ZodType>(element: T) {
  const array = z.array(element, saying('must be an array'));
  return z.preprocess((value) => value ?? [], array).prefault(null);
}

/** An object with these members, in this order, and no others. */
export function shape<T extends z.ZodRawShape>(members: T) {
  return z.strictObject(members, saying('must be an object'));
}

/** An object that is always there: left out or null means all its members are left out. */
export function alwaysThere<T extends z.ZodObject>(object: T) {
  return z.preprocess((value) => value ?? {}, object).prefault(null);
}
