import { describe, expect, it } from '@jest/globals';
import { parseDateTime } from './date-time.js';

describe('readDateTime', () => {
  it.each([
    ['2026-01-31T09:30:00.000Z', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31T09:30:00.5Z', '2026-01-31T09:30:00.500Z'],
    ['2026-01-31T09:30:00.123000Z', '2026-01-31T09:30:00.123Z'],
    ['2026-01-31T09:30:00.000+00:00', '2026-01-31T09:30:00.000Z'],
    ['2026-01-01T00:30:00+02:00', '2025-12-31T22:30:00.000Z'],
    ['2026-12-31T23:30:00-05:30', '2027-01-01T05:00:00.000Z'],
    ['2024-02-29T23:59:59.999Z', '2024-02-29T23:59:59.999Z'],
    ['2000-02-29T00:00:00.000Z', '2000-02-29T00:00:00.000Z'],
    ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
    ['0000-01-01T00:00:00.000Z', '0000-01-01T00:00:00.000Z'],
    ['0050-06-01T12:00:00+01:00', '0050-06-01T11:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['2026-01-31T09:30:00+23:59', '2026-01-30T09:31:00.000Z'],
  ])('normalizes %s to %s', (given, canonical) => {
    expect(parseDateTime(given)).toEqual({ canonical });
  });

  it.each([
    '2026-02-29T00:00:00.000Z',
    '1900-02-29T00:00:00.000Z',
    '2026-02-30T09:30:00Z',
    '2026-04-31T09:30:00.000Z',
    '2026-00-10T09:30:00.000Z',
    '2026-13-10T09:30:00.000Z',
    '2026-01-00T09:30:00.000Z',
    '2026-01-32T09:30:00.000Z',
    '2026-01-10T24:00:00.000Z',
    '2026-01-10T23:60:00.000Z',
    '2016-12-31T23:59:60Z',
    '2026-01-10T09:30:00+24:00',
    '2026-01-10T09:30:00+02:60',
  ])('rejects %s, which does not exist', (given) => {
    expect(parseDateTime(given)).toEqual({ problem: 'must be a date and time that exist' });
  });

  it.each([
    '',
    '2026-01-31',
    '2026-01-31T09:30Z',
    '2026-01-31T09:30:00',
    '2026-01-31 09:30:00Z',
    '2026-01-31T09:30:00.Z',
    '2026-01-31T09:30:00,5Z',
    '2026-01-31T09:30:00+0200',
    '2026-1-31T09:30:00Z',
    '+002026-01-31T09:30:00Z',
    '-000001-01-31T09:30:00.000Z',
    ' 2026-01-31T09:30:00.000Z',
    '2026-01-31T09:30:00.000Z\n',
    '２０２６-01-31T09:30:00.000Z',
  ])('rejects %j, which is not a date-time with seconds and a zone', (given) => {
    expect(parseDateTime(given)).toEqual({ problem: 'must be a date-time such as 2026-01-31T09:30:00.000Z' });
  });

  it('rejects fractions finer than a millisecond instead of rounding them', () => {
    expect(parseDateTime('2026-01-31T09:30:00.0001Z')).toEqual({ problem: 'must not be finer than milliseconds' });
  });

  it.each(['0000-01-01T00:30:00+01:00', '9999-12-31T23:30:00-01:00'])(
    'rejects %s, which is outside the years 0000 to 9999 in UTC',
    (given) => {
      expect(parseDateTime(given)).toEqual({ problem: 'must be within the years 0000 to 9999 in UTC' });
    },
  );
});
