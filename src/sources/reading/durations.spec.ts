import { describe, expect, it } from '@jest/globals';
import { secondsToMillis, parseIsoDuration, parseLetterDuration } from './durations.js';

describe('a duration', () => {
  it.each([
    ['PT4M13S', 253_000],
    ['PT1H2M3S', 3_723_000],
    ['P1DT2S', 86_402_000],
    ['P2W', 1_209_600_000],
    ['PT0.5S', 500],
    ['P0D', 0],
  ])('reads %s', (given, millis) => {
    expect(parseIsoDuration(given)).toBe(millis);
  });

  it.each(['', 'P', 'PT', 'P1DT', '4:13', 'PT4M13', 'P1Y', 'P99999999999999D'])('is null for "%s"', (given) => {
    expect(parseIsoDuration(given)).toBeNull();
  });

  it.each([
    ['3h8m33s', 11_313_000],
    ['50s', 50_000],
    ['1d2s', 86_402_000],
    ['2h', 7_200_000],
    ['0s', 0],
  ])('reads %s', (given, millis) => {
    expect(parseLetterDuration(given)).toBe(millis);
  });

  it.each(['', '3h8m33', '33s8m', '3:08:33'])('is null for "%s"', (given) => {
    expect(parseLetterDuration(given)).toBeNull();
  });

  it('in seconds is rounded to milliseconds', () => {
    expect(secondsToMillis(12.34567)).toBe(12_346);
  });

  it.each([-1, NaN, Infinity, 1e300])('is null for %s seconds', (seconds) => {
    expect(secondsToMillis(seconds)).toBeNull();
  });
});
