import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import {
  count,
  id,
  instant,
  isoDuration,
  number,
  secondsDuration,
  text,
  texts,
  booleanOrText,
  unixMillis,
  unixSeconds,
} from './member-schemas.js';

/** Returns the converted value, or the problem with it. */
function read(member: z.ZodType, value: unknown): unknown {
  const reading = z.object({ member }).safeParse(value === undefined ? {} : { member: value });
  if (!reading.success) return reading.error.issues[0]?.message;
  return 'member' in reading.data ? reading.data.member : 'absent';
}

const ALL = {
  count,
  id,
  instant,
  isoDuration,
  number,
  secondsLong: secondsDuration,
  text,
  texts,
  truth: booleanOrText,
  unixMillis,
  unixSeconds,
};

describe('a member of a native document', () => {
  it.each(Object.entries(ALL))('keeps undefined and null: %s', (_, member) => {
    expect(read(member, undefined)).toBe('absent');
    expect(read(member, null)).toBeNull();
  });

  it.each(Object.entries(ALL))('rejects a value of the wrong type: %s', (_, member) => {
    expect(read(member, { an: 'object' })).toMatch(/^must be /);
  });

  it.each(Object.entries(ALL).filter(([name]) => name !== 'texts'))('converts empty text to null: %s', (_, member) => {
    expect(read(member, '')).toBeNull();
  });

  it.each([
    ['a text', text, 'Mock', 'Mock'],
    ['a text with NUL', text, 'a\0b', 'a\u{FFFD}b'],
    ['a text with half a surrogate pair', text, 'a\ud83d', 'a\u{FFFD}'],
    ['a text with HTML entities, which are nobody’s business here', text, '&amp;', '&amp;'],
    ['an ID', id, 'x1', 'x1'],
    ['an ID as a number', id, 42, '42'],
    ['an ID of more than 2^53, which comes as text', id, '7316000000000000001', '7316000000000000001'],
    ['a count', count, 42, 42],
    ['a count as text', count, '3000000000000000', 3_000_000_000_000_000],
    ['a count as a table writes it', count, '12.0', 12],
    ['a count below zero', count, -1, -1],
    ['a number', number, '1.5', 1.5],
    ['yes', booleanOrText, true, true],
    ['yes as text', booleanOrText, 'TRUE', true],
    ['no as text', booleanOrText, 'False', false],
    ['a date', instant, '2016-12-14T20:32:28.894263Z', '2016-12-14T20:32:28.894Z'],
    ['seconds since 1970', unixSeconds, 1_458_000_000, '2016-03-15T00:00:00.000Z'],
    ['seconds since 1970, as text', unixSeconds, '1458000000', '2016-03-15T00:00:00.000Z'],
    ['milliseconds since 1970', unixMillis, 1_458_000_000_123, '2016-03-15T00:00:00.123Z'],
    ['a length', isoDuration, 'PT1M', 60_000],
    ['a length in seconds', secondsDuration, 1.2345, 1235],
    ['texts', texts, ['a', '', 'b\0'], ['a', 'b\u{FFFD}']],
  ])('accepts %s', (_, member, given, expected) => {
    expect(read(member, given)).toEqual(expected);
  });

  it.each([
    ['a count beyond 2^53', count, '9007199254740993'],
    ['half a count', count, 1.5],
    ['a count in words', count, '1.5m'],
    ['an ID that lost digits', id, 2 ** 60],
    ['half an ID', id, 1.5],
    ['a date without a zone', instant, '2016-12-14T20:32:28'],
    ['a date as a number', instant, 1_458_000_000],
    ['seconds beyond the year 9999', unixSeconds, 253_402_300_800],
    ['a length below zero', secondsDuration, -1],
    ['a number among texts', texts, ['a', 1]],
    ['neither yes nor no', booleanOrText, 'maybe'],
    ['infinity', number, 'Infinity'],
  ])('rejects %s', (_, member, given) => {
    expect(read(member, given)).toMatch(/^must be /);
  });
});
