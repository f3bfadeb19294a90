import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import {
  objectWithDefaults,
  boolean,
  dateTime,
  id,
  integer,
  list,
  MAX_ID_BYTES,
  nullable,
  number,
  oneOf,
  shape,
  text,
  textUpToBytes,
} from './scalars.js';

/** Parses a value. @returns the canonical value, or the first problem as text */
function parse(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value);
  return result.success ? result.data : `problem: ${result.error.issues[0]?.message}`;
}

describe('text', () => {
  it.each(['', ' ', 'Grüße', '😀', 'a\u0000b', '\uFFFD'])('keeps %j as it is', (value) => {
    expect(parse(text, value)).toBe(value);
  });

  it.each(['\ud83d', '\ude00', '\ude00\ud83d', 'a\ud800b'])('rejects the lone surrogate in %j', (value) => {
    expect(parse(text, value)).toBe('problem: must not contain half a surrogate pair');
  });

  it.each([1, true, [], {}, null])('rejects %j, which is not a string', (value) => {
    expect(parse(text, value)).toBe('problem: must be a string');
  });

  it.each([
    ['a', 6],
    ['é', 3],
    ['☃', 2],
  ])('limits UTF-8 bytes, not characters (%s)', (character, times) => {
    const longest = character.repeat(times);
    expect(parse(textUpToBytes(6), longest)).toBe(longest);
    expect(parse(textUpToBytes(6), `${longest}a`)).toBe('problem: must have at most 6 bytes in UTF-8');
  });
});

describe('id', () => {
  it.each(['0', 'a ', ' ', 'UC-_x', '☃'])('keeps %j as it is', (value) => {
    expect(parse(id, value)).toBe(value);
  });

  it('rejects the empty string', () => {
    expect(parse(id, '')).toBe('problem: must not be empty');
  });

  it.each([
    ['a', MAX_ID_BYTES],
    ['é', 127],
    ['☃', 85],
    ['😀', 63],
  ])('accepts as many %j as fit into 255 bytes, and rejects one more', (character, times) => {
    const longest = character.repeat(times);
    expect(parse(id, longest)).toBe(longest);
    expect(parse(id, longest + character)).toBe('problem: must have at most 255 bytes in UTF-8');
  });

  it('rejects the character U+0000', () => {
    expect(parse(id, 'a\u0000')).toBe('problem: must not contain the character U+0000');
  });

  it('rejects a lone surrogate', () => {
    expect(parse(id, 'a\udc00')).toBe('problem: must not contain half a surrogate pair');
  });
});

describe('integer', () => {
  it.each(['0', '-1', '1.0', '1e3', '9007199254740991', '-9007199254740991', '3284345133808108'])(
    'accepts the JSON number %s',
    (source) => {
      expect(parse(integer, JSON.parse(source))).toBe(Number(source));
    },
  );

  it.each(['9007199254740992', '9007199254740993', '-9007199254740992', '1e400', '1e20', '1.5', '"1"', 'true', 'null'])(
    'rejects the JSON value %s',
    (source) => {
      expect(parse(integer, JSON.parse(source))).toBe('problem: must be an integer from -(2^53 - 1) to 2^53 - 1');
    },
  );
});

describe('number', () => {
  it.each(['0.5', '-3', '1e300', '9007199254740993'])('accepts the JSON number %s', (source) => {
    expect(parse(number, JSON.parse(source))).toBe(Number(source));
  });

  it.each(['1e400', '-1e400', '"1"', 'null'])('rejects the JSON value %s', (source) => {
    expect(parse(number, JSON.parse(source))).toBe('problem: must be a number');
  });
});

describe('boolean', () => {
  it('accepts only true and false', () => {
    expect(parse(boolean, false)).toBe(false);
    expect(parse(boolean, 0)).toBe('problem: must be true or false');
    expect(parse(boolean, 'true')).toBe('problem: must be true or false');
  });
});

describe('oneOf', () => {
  it('names the accepted words in its message', () => {
    expect(parse(oneOf(['a', 'b']), 'b')).toBe('b');
    expect(parse(oneOf(['a', 'b']), 'B')).toBe('problem: must be one of a, b');
    expect(parse(oneOf(['a', 'b']), 'toString')).toBe('problem: must be one of a, b');
  });
});

describe('dateTime', () => {
  it('returns the canonical text or the problem', () => {
    expect(parse(dateTime, '2026-01-31T09:30:00+01:00')).toBe('2026-01-31T08:30:00.000Z');
    expect(parse(dateTime, '2026-02-30T09:30:00Z')).toBe('problem: must be a date and time that exist');
  });

  it.each([1769851800000, null, {}])('rejects %j, which is not a string', (value) => {
    expect(parse(dateTime, value)).toBe('problem: must be a date-time such as 2026-01-31T09:30:00.000Z');
  });
});

describe('members of a shape', () => {
  const schema = shape({
    b: integer,
    a: nullable(integer),
    items: list(integer),
    inner: objectWithDefaults(shape({ c: nullable(boolean) })),
  });

  it('are returned in the order of the shape, with defaults for missing ones', () => {
    expect(JSON.stringify(parse(schema, { b: 1 }))).toBe('{"b":1,"a":null,"items":[],"inner":{"c":null}}');
    expect(JSON.stringify(parse(schema, { inner: null, items: null, a: null, b: 1 }))).toBe(
      '{"b":1,"a":null,"items":[],"inner":{"c":null}}',
    );
    expect(JSON.stringify(parse(schema, { inner: { c: true }, items: [2], a: 3, b: 1 }))).toBe(
      '{"b":1,"a":3,"items":[2],"inner":{"c":true}}',
    );
  });

  it('do not share default values between results', () => {
    const first = schema.parse({ b: 1 });
    first.items.push(7);
    first.inner.c = true;
    expect(schema.parse({ b: 1 })).toEqual({ b: 1, a: null, items: [], inner: { c: null } });
  });

  it('are required unless they are nullable', () => {
    expect(parse(schema, { a: 1 })).toBe('problem: is missing');
  });

  it.each([
    [{ b: null }, 'must be an integer from -(2^53 - 1) to 2^53 - 1'],
    [{ b: 1, items: {} }, 'must be an array'],
    [{ b: 1, items: '' }, 'must be an array'],
    [{ b: 1, inner: [] }, 'must be an object'],
    [{ b: 1, inner: false }, 'must be an object'],
    [[], 'must be an object'],
  ])('reject %j, which has a wrong type', (value, problem) => {
    expect(parse(schema, value)).toBe(`problem: ${problem}`);
  });
});
