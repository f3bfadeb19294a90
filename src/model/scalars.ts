// For String.isWellFormed, which Node 20 has and the `es2023` target of the build lacks.
/// <reference lib="es2024.string" />
import * as z from 'zod';
import { parseDateTime } from './date-time.js';
import { registerHideable, type HideableMark } from './field-policy.js';

// One schema per wire shape serves import validation, defaults, types and OpenAPI. Messages are worded to follow the member's
// name, such as `is missing`.

/** Maximum length of an ID in UTF-8 bytes, which an indexed column can hold on every supported database. */
export const MAX_ID_BYTES = 255;

/** Problem of a member that is not there. */
export const MISSING = 'is missing';

/** Returns zod's error option: `is missing` for undefined, otherwise the problem. */
function problemOption(problem: string) {
  return { error: (issue: { input?: unknown }) => (issue.input === undefined ? MISSING : problem) };
}

/** Schema of a string with a rule. Rejects lone surrogates: UTF-8 cannot encode them, so they would be stored altered. */
export function textWithRule(problemOf: (text: string) => string | undefined) {
  return z.string(problemOption('must be a string')).check((context) => {
    const text = context.value;
    const problem = text.isWellFormed() ? problemOf(text) : 'must not contain half a surrogate pair';
    if (problem !== undefined) context.issues.push({ code: 'custom', input: text, message: problem });
  });
}

export const text = textWithRule(() => undefined);

/** Schema of a text of at most `maxBytes` UTF-8 bytes, for indexed columns. */
export function textUpToBytes(maxBytes: number) {
  return textWithRule((value) =>
    value.length * 3 > maxBytes && Buffer.byteLength(value) > maxBytes
      ? `must have at most ${maxBytes} bytes in UTF-8`
      : undefined,
  );
}

/** Returns why a text cannot be a look-up key; undefined if it can. An empty text can. */
export function lookupProblem(value: string): string | undefined {
  // A UTF-16 unit has at most three UTF-8 bytes, so short values need no counting.
  if (value.length * 3 > MAX_ID_BYTES && Buffer.byteLength(value) > MAX_ID_BYTES) {
    return `must have at most ${MAX_ID_BYTES} bytes in UTF-8`;
  }
  return value.includes('\0') ? 'must not contain the character U+0000' : undefined;
}

/** Schema of an ID: opaque, case-sensitive, not empty. */
export const id = textWithRule((value) => (value === '' ? 'must not be empty' : lookupProblem(value))).meta({
  minLength: 1,
});

/** Schema of a safe integer. `1.0` and `1e3` are integers; JSON numbers beyond 2^53 - 1 parse to unsafe ones and are rejected. */
export const integer = z
  .int(problemOption('must be an integer from -(2^53 - 1) to 2^53 - 1'))
  .meta({ format: 'int64' });

/** Schema of a finite number; `1e400` parses to Infinity and is rejected. */
export const number = z.number(problemOption('must be a number'));

export const boolean = z.boolean(problemOption('must be true or false'));

export function oneOf<const T extends readonly string[]>(values: T) {
  return z.enum(values, problemOption(`must be one of ${values.join(', ')}`));
}

/** Schema of a date-time, which it converts to UTC with milliseconds. */
export const dateTime = z
  .string(problemOption('must be a date-time such as 2026-01-31T09:30:00.000Z'))
  .check((context) => {
    const parsed = parseDateTime(context.value);
    if ('canonical' in parsed) context.value = parsed.canonical;
    else context.issues.push({ code: 'custom', input: context.value, message: parsed.problem });
  })
  .meta({ format: 'date-time' });

/** Makes a member nullable; a missing one becomes null. */
export function nullable<T extends z.ZodType>(schema: T) {
  return z.nullable(schema).default(null);
}

/** Schema of an array; missing or null becomes an empty one. */
export function list<T extends z.ZodType>(element: T) {
  const array = z.array(element, problemOption('must be an array'));
  return z.preprocess((value) => value ?? [], array).prefault(null);
}

/** Marks of members. Not in zod's global registry, which ends up in the OpenAPI document. */
const marks = z.registry<{ readonly hiding: HideableMark }>();

/** Marks a member that a key's policy can hide. Never mark IDs, handles and kinds: a record without them is meaningless. */
export const hideable = <T extends z.ZodType>(member: T): T => marked(member, 'hideable');

/** Marks a member that identifies a person or that data protection law treats as sensitive. The policy `sensitive` hides it. */
export const sensitive = <T extends z.ZodType>(member: T): T => marked(member, 'sensitive');

/** Returns a marked copy, because schemas such as `text` are shared. */
function marked<T extends z.ZodType>(member: T, hiding: HideableMark): T {
  const copy = member.clone(undefined, { parent: true });
  marks.add(copy, { hiding });
  return copy;
}

/** Schema of an object that has no other members, returned in this order. Registers the marked members. */
export function shape<T extends z.ZodRawShape>(members: T) {
  for (const [name, member] of Object.entries(members)) {
    const mark = marks.get(member as z.ZodType);
    if (mark !== undefined) registerHideable(name, mark.hiding);
  }
  return z.strictObject(members, problemOption('must be an object'));
}

/** Makes an object optional: missing or null becomes an object of default values. */
export function objectWithDefaults<T extends z.ZodObject>(object: T) {
  return z.preprocess((value) => value ?? {}, object).prefault(null);
}
