// String.isWellFormed: in Node 20, but not in the build's language level.
/// <reference lib="es2024.string" />
import { z } from 'zod';
import { readDateTime } from './date-time.js';
import { noteHideable, type Hiding } from './field-policy.js';

// One schema per wire shape: import validation, defaults, type, OpenAPI. Messages follow the member name: `is missing`.

/** The longest ID, in UTF-8 bytes: what an indexed column holds on every supported database. */
export const MAX_ID_BYTES = 255;

/** Error option: the problem, or `is missing`. */
function saying(problem: string) {
  return { error: (issue: { input?: unknown }) => (issue.input === undefined ? 'is missing' : problem) };
}

/** A string with a rule. Lone surrogates are refused: UTF-8 cannot encode them, so they would be stored altered. */
export function textThat(problemOf: (text: string) => string | undefined) {
  return z.string(saying('must be a string')).check((context) => {
    const text = context.value;
    const problem = text.isWellFormed() ? problemOf(text) : 'must not contain half a surrogate pair';
    if (problem !== undefined) context.issues.push({ code: 'custom', input: text, message: problem });
  });
}

export const text = textThat(() => undefined);

/** Text of at most this many UTF-8 bytes, for indexed columns. */
export function textUpToBytes(maxBytes: number) {
  return textThat((value) =>
    value.length * 3 > maxBytes && Buffer.byteLength(value) > maxBytes
      ? `must have at most ${maxBytes} bytes in UTF-8`
      : undefined,
  );
}

/** Why a text cannot be a look-up key, or undefined. It may be empty. */
export function lookupProblem(value: string): string | undefined {
  // A UTF-16 unit takes at most three bytes: short values need no counting.
  if (value.length * 3 > MAX_ID_BYTES && Buffer.byteLength(value) > MAX_ID_BYTES) {
    return `must have at most ${MAX_ID_BYTES} bytes in UTF-8`;
  }
  return value.includes('\0') ? 'must not contain the character U+0000' : undefined;
}

/** An ID: opaque, case-sensitive, never empty. */
export const id = textThat((value) => (value === '' ? 'must not be empty' : lookupProblem(value))).meta({
  minLength: 1,
});

/** A safe integer: larger ones parse beyond 2^53 - 1, so the parsed number tells. `1.0` and `1e3` are integers. */
export const integer = z.int(saying('must be an integer from -(2^53 - 1) to 2^53 - 1')).meta({ format: 'int64' });

/** A finite number (`1e400` parses to Infinity). */
export const number = z.number(saying('must be a number'));

export const boolean = z.boolean(saying('must be true or false'));

export function oneOf<const T extends readonly string[]>(values: T) {
  return z.enum(values, saying(`must be one of ${values.join(', ')}`));
}

/** A date-time, converted to UTC with milliseconds. */
export const dateTime = z
  .string(saying('must be a date-time such as 2026-01-31T09:30:00.000Z'))
  .check((context) => {
    const reading = readDateTime(context.value);
    if ('canonical' in reading) context.value = reading.canonical;
    else context.issues.push({ code: 'custom', input: context.value, message: reading.problem });
  })
  .meta({ format: 'date-time' });

/** A nullable member; missing means null. */
export function nullable<T extends z.ZodType>(schema: T) {
  return z.nullable(schema).default(null);
}

/** An array; missing or null means empty. */
export function list<T extends z.ZodType>(element: T) {
  const array = z.array(element, saying('must be an array'));
  return z.preprocess((value) => value ?? [], array).prefault(null);
}

/** Marks of members. A registry of its own: zod's global one goes into the OpenAPI document. */
const marks = z.registry<{ readonly hiding: Hiding }>();

/** Marks a member that a key's policy may hide. Never mark IDs, handles and kinds: an answer without them means nothing. */
export const hideable = <T extends z.ZodType>(member: T): T => marked(member, 'hideable');

/** Marks a member that identifies a person, or that a data protection law treats as sensitive. The policy `sensitive`
 * hides it. */
export const sensitive = <T extends z.ZodType>(member: T): T => marked(member, 'sensitive');

/** A copy, because schemas such as `text` are shared. */
function marked<T extends z.ZodType>(member: T, hiding: Hiding): T {
  const copy = member.clone(undefined, { parent: true });
  marks.add(copy, { hiding });
  return copy;
}

/** A strict object, members in this order. */
export function shape<T extends z.ZodRawShape>(members: T) {
  for (const [name, member] of Object.entries(members)) {
    const mark = marks.get(member as z.ZodType);
    if (mark !== undefined) noteHideable(name, mark.hiding);
  }
  return z.strictObject(members, saying('must be an object'));
}

/** An object; missing or null means one with every member left out. */
export function alwaysThere<T extends z.ZodObject>(object: T) {
  return z.preprocess((value) => value ?? {}, object).prefault(null);
}
