import { describe, expect, it } from '@jest/globals';
import { endOfDay, isCalendarDate, startOfDay } from './calendar-date.js';

describe('isCalendarDate', () => {
  it.each(['2026-01-31', '2024-02-29', '2000-02-29', '1969-12-31', '0000-01-01', '9999-12-31'])(
    'accepts %s',
    (text) => {
      expect(isCalendarDate(text)).toBe(true);
    },
  );

  it.each(['2026-02-29', '1900-02-29', '2026-04-31', '2026-00-01', '2026-13-01', '2026-01-00', '2026-01-32'])(
    'rejects %s, a date that does not exist',
    (text) => {
      expect(isCalendarDate(text)).toBe(false);
    },
  );

  it.each([
    '',
    '2026',
    '2026-1-1',
    '20260131',
    '2026-01-31Z',
    '2026-01-31T00:00:00Z',
    ' 2026-01-31',
    '2026-01-31\n',
    '+002026-01-31',
    '２０２６-01-31',
  ])('rejects %j, which is not of the form YYYY-MM-DD', (text) => {
    expect(isCalendarDate(text)).toBe(false);
  });
});

describe('startOfDay and endOfDay', () => {
  it.each(['2026-01-31', '1970-01-01', '1969-12-31', '2024-02-29', '0000-01-01'])(
    'return the first and last millisecond of %s in UTC',
    (date) => {
      expect(new Date(startOfDay(date)).toISOString()).toBe(`${date}T00:00:00.000Z`);
      expect(new Date(endOfDay(date)).toISOString()).toBe(`${date}T23:59:59.999Z`);
    },
  );
});
