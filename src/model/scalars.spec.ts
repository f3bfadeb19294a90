import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import {
  alwaysThere,
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

/** What a schema makes of a value: the canonical value, or the first problem as text. */
function reading(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value);
  return result.success ? result.data : `problem: ${result.error.issues[0]?.message}`;
}

describe('text', () => {
  it.each(['', ' ', 'Grüße', '😀', 'a\u0000b', '\uFFFD'])('keeps %j as it is', (value) => {
    expect(reading(text, value)).toBe(value);
  });

  it.each(['\ud83d', '\ude00', '\ude00\ud83d', 'a\ud800b'])('refuses the broken surrogate pair in %j', (value) => {
    expect(reading(text, value)).toBe('problem: must not contain half a surrogate pair');
  });

  it.each([1, true, [], {}, null])('refuses %j, which is no string', (value) => {
    expect(reading(text, value)).toBe('problem: must be a string');
  });

  it.each([
    ['a', 6],
    ['é', 3],
    ['☃', 2],
  ])('counts bytes in UTF-8, not characters, against a limit (%s)', (character, times) => {
    const longest = character.repeat(times);
    expect(reading(textUpToBytes(6), longest)).toBe(longest);
    expect(reading(textUpToBytes(6), `${longest}a`)).toBe('problem: must have at most 6 bytes in UTF-8');
  });
});

describe('id', () => {
  it.each(['0', 'a ', ' ', 'UC-_x', '☃'])('keeps %j as it is', (value) => {
    expect(reading(id, value)).toBe(value);
  });

  it('refuses the empty string', () => {
    expect(reading(id, '')).toBe('problem: must not be empty');
  });

  it.each([
    ['a', MAX_ID_BYTES],
    ['é', 127],
    ['☃', 85],
    ['😀', 63],
  ])('takes %j as often as fits into 255 bytes, and not once more', (character, times) => {
    const longest = character.repeat(times);
    expect(reading(id, longest)).toBe(longest);
    expect(reading(id, longest + character)).toBe('problem: must have at most 255 bytes in UTF-8');
  });

  it('refuses the character U+0000', () => {
    expect(reading(id, 'a\u0000')).toBe('problem: must not contain the character U+0000');
  });

  it('refuses a broken surrogate pair', () => {
    expect(reading(id, 'a\udc00')).toBe('problem: must not contain half a surrogate pair');
  });
});

describe('integer', () => {
  it.each(['0', '-1', '1.0', '1e3', '9007199254740991', '-9007199254740991', '3284345133808108'])(
    'takes %s as written in JSON',
    (source) => {
      expect(reading(integer, JSON.parse(source))).toBe(Number(source));
    },
  );

  it.each(['9007199254740992', '9007199254740993', '-9007199254740992', '1e400', '1e20', '1.5', '"1"', 'true', 'null'])(
    'refuses %s as written in JSON',
    (source) => {
      expect(reading(integer, JSON.parse(source))).toBe('problem: must be an integer from -(2^53 - 1) to 2^53 - 1');
    },
  );
});

describe('number', () => {
  it.each(['0.5', '-3', '1e300', '9007199254740993'])('takes %s as written in JSON', (source) => {
    expect(reading(number, JSON.parse(source))).toBe(Number(source));
  });

  it.each(['1e400', '-1e400', '"1"', 'null'])('refuses %s as written in JSON', (source) => {
    expect(reading(number, JSON.parse(source))).toBe('problem: must be a number');
  });
});

describe('boolean', () => {
  it('takes true and false and nothing that only looks like them', () => {
    expect(reading(boolean, false)).toBe(false);
    expect(reading(boolean, 0)).toBe('problem: must be true or false');
    expect(reading(boolean, 'true')).toBe('problem: must be true or false');
  });
});

describe('oneOf', () => {
  it('names the words it takes', () => {
    expect(reading(oneOf(['a', 'b']), 'b')).toBe('b');
    expect(reading(oneOf(['a', 'b']), 'B')).toBe('problem: must be one of a, b');
    expect(reading(oneOf(['a', 'b']), 'toString')).toBe('problem: must be one of a, b');
  });
});

describe('dateTime', () => {
  it('gives the canonical text or the problem', () => {
    expect(reading(dateTime, '2026-01-31T09:30:00+01:00')).toBe('2026-01-31T08:30:00.000Z');
    expect(reading(dateTime, '2026-02-30T09:30:00Z')).toBe('problem: must be a date and time that exist');
  });

  it.each([1769851800000, null, {}])('refuses %j, which is no string', (value) => {
    expect(reading(dateTime, value)).toBe('problem: must be a date-time such as 2026-01-31T09:30:00.000Z');
  });
});

describe('members of a shape', () => {
  const schema = shape({
    b: integer,
    a: nullable(integer),
    items: list(integer),
    inner: alwaysThere(shape({ c: nullable(boolean) })),
  });

  it('come out in the order of the shape, filled in', () => {
    expect(JSON.stringify(reading(schema, { b: 1 }))).toBe('{"b":1,"a":null,"items":[],"inner":{"c":null}}');
    expect(JSON.stringify(reading(schema, { inner: null, items: null, a: null, b: 1 }))).toBe(
      '{"b":1,"a":null,"items":[],"inner":{"c":null}}',
    );
    expect(JSON.stringify(reading(schema, { inner: { c: true }, items: [2], a: 3, b: 1 }))).toBe(
      '{"b":1,"a":3,"items":[2],"inner":{"c":true}}',
    );
  });

  it('do not share what was filled in', () => {
    const first = schema.parse({ b: 1 });
    first.items.push(7);
    first.inner.c = true;
    expect(schema.parse({ b: 1 })).toEqual({ b: 1, a: null, items: [], inner: { c: null } });
  });

  it('have to be there unless they may be null', () => {
    expect(reading(schema, { a: 1 })).toBe('problem: is missing');
  });

  it.each([
    [{ b: null }, 'must be an integer from -(2^53 - 1) to 2^53 - 1'],
    [{ b: 1, items: {} }, 'must be an array'],
    [{ b: 1, items: '' }, 'must be an array'],
    [{ b: 1, inner: [] }, 'must be an object'],
    [{ b: 1, inner: false }, 'must be an object'],
    [[], 'must be an object'],
  ])('refuse %j, which has a wrong type', (value, problem) => {
    expect(reading(schema, value)).toBe(`problem: ${problem}`);
  });
});
