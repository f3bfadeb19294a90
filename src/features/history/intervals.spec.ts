import { describe, expect, it } from '@jest/globals';
import { intervalOf, lastOfEach, type Interval } from './intervals.js';

const isSame = (interval: Interval, one: string, other: string): boolean =>
  intervalOf(one, interval) === intervalOf(other, interval);

describe('the interval of a day', () => {
  it.each<[Interval, string, string, boolean]>([
    ['day', '2026-01-31', '2026-01-31', true],
    ['day', '2026-01-31', '2026-02-01', false],
    // 5 January 2026 is a Monday.
    ['week', '2026-01-05', '2026-01-11', true],
    ['week', '2026-01-04', '2026-01-05', false],
    ['week', '2026-01-11', '2026-01-12', false],
    // The week over the end of a year.
    ['week', '2025-12-29', '2026-01-04', true],
    ['week', '1969-12-29', '1970-01-04', true],
    ['week', '1969-12-28', '1969-12-29', false],
    // The week of a leap day, a Thursday.
    ['week', '2024-02-26', '2024-03-03', true],
    ['month', '2024-02-01', '2024-02-29', true],
    ['month', '2024-02-29', '2024-03-01', false],
    ['month', '2025-12-31', '2026-01-01', false],
    ['month', '2025-01-15', '2026-01-15', false],
  ])('%s: %s and %s are in the same one: %s', (interval, one, other, expected) => {
    expect(isSame(interval, one, other)).toBe(expected);
  });

  it.each<[Interval, string, string, number]>([
    ['day', '2024-02-28', '2024-03-01', 2],
    ['day', '2023-02-28', '2023-03-01', 1],
    ['week', '2025-12-28', '2026-01-05', 2],
    ['month', '2025-11-30', '2026-02-01', 3],
    ['month', '0000-01-01', '0001-01-01', 12],
  ])('%s: %s to %s are %d intervals apart', (interval, from, to, distance) => {
    expect(intervalOf(to, interval) - intervalOf(from, interval)).toBe(distance);
  });
});

describe('the last point of each interval', () => {
  const points = ['2025-12-28', '2025-12-30', '2026-01-02', '2026-01-05', '2026-02-01'].map((date) => ({ date }));

  it.each<[Interval, string[]]>([
    ['day', points.map(({ date }) => date)],
    ['week', ['2025-12-28', '2026-01-02', '2026-01-05', '2026-02-01']],
    ['month', ['2025-12-30', '2026-01-05', '2026-02-01']],
  ])('%s', (interval, dates) => {
    expect(lastOfEach(points, interval)).toEqual(dates.map((date) => ({ date })));
    expect(lastOfEach([], interval)).toEqual([]);
  });
});
