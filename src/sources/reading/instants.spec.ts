import { describe, expect, it } from '@jest/globals';
import { formatInstant, decodeSnowflakeTime, addMillis, parseInstantText } from './instants.js';

describe('readInstant', () => {
  it.each([
    ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31T09:30:00.000Z', '2026-01-31T09:30:00.000Z'],
    ['2016-12-14T20:32:28.894263Z', '2016-12-14T20:32:28.894Z'],
    ['2016-12-14T20:32:28.999999999Z', '2016-12-14T20:32:28.999Z'],
    ['2016-12-14T20:32:28.5Z', '2016-12-14T20:32:28.500Z'],
    ['2021-08-17T19:00:42+0000', '2021-08-17T19:00:42.000Z'],
    ['2021-08-17T19:00:42-0730', '2021-08-18T02:30:42.000Z'],
    ['2021-08-17T19:00:42+02', '2021-08-17T17:00:42.000Z'],
    ['2011-05-23 18:08:06+00:00', '2011-05-23T18:08:06.000Z'],
    ['2011-05-23 18:08:06 UTC', '2011-05-23T18:08:06.000Z'],
    ['2011-05-23T18:08Z', '2011-05-23T18:08:00.000Z'],
    ['2020-08-12', '2020-08-12T00:00:00.000Z'],
    ['20200812', '2020-08-12T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2024-02-29T01:00:00Z', '2024-02-29T01:00:00.000Z'],
  ])('reads %s as %s', (given, instant) => {
    expect(parseInstantText(given)).toBe(instant);
  });

  it.each([
    ['a time without a zone, which could mean any hour', '2021-08-17T19:00:42'],
    ['a day that does not exist', '2021-02-29'],
    ['an hour that does not exist', '2021-02-28T24:00:00Z'],
    ['a leap second', '2016-12-31T23:59:60Z'],
    ['a year of five digits', '12021-02-28T24:00:00Z'],
    ['words', 'yesterday'],
    ['nothing', ''],
    ['text behind it', '2021-02-28 or so'],
  ])('returns null for %s', (_, given) => {
    expect(parseInstantText(given)).toBeNull();
  });

  it('does not depend on the time zone of the machine', () => {
    const zone = process.env.TZ;
    process.env.TZ = 'Pacific/Kiritimati';
    expect(parseInstantText('2020-08-12')).toBe('2020-08-12T00:00:00.000Z');
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });
});

describe('an instant', () => {
  it.each([
    [0, '1970-01-01T00:00:00.000Z'],
    [-1, '1969-12-31T23:59:59.999Z'],
    [1_700_000_000_123.9, '2023-11-14T22:13:20.123Z'],
    [Date.UTC(9999, 11, 31, 23, 59, 59, 999), '9999-12-31T23:59:59.999Z'],
    [Date.parse('0000-01-01T00:00:00Z'), '0000-01-01T00:00:00.000Z'],
  ])('is formatted from %s milliseconds since 1970', (millis, instant) => {
    expect(formatInstant(millis)).toBe(instant);
  });

  it.each([Date.UTC(10_000, 0, 1), Date.parse('0000-01-01T00:00:00Z') - 1, NaN, Infinity])(
    'is null for %s milliseconds since 1970',
    (millis) => {
      expect(formatInstant(millis)).toBeNull();
    },
  );

  it('is moved by a number of milliseconds', () => {
    expect(addMillis('2026-01-01T00:00:00.000Z', 90_500)).toBe('2026-01-01T00:01:30.500Z');
  });

  it('is decoded from an ID of X', () => {
    expect(decodeSnowflakeTime('1460323737035677698')).toBe('2021-11-15T19:08:05.069Z');
  });

  it.each(['12', 'abc', '99999999999999999999'])('is null for the ID %s', (id) => {
    expect(decodeSnowflakeTime(id)).toBeNull();
  });
});
