import { describe, expect, it } from '@jest/globals';
import { BLUESKY } from './bluesky.js';
import { expectedCalls, planOf } from './plan.js';
import { initialState } from './target-state.js';
import { TWITCH } from './twitch.js';
import type { WatchedCreator } from './watch-list.js';
import { YOUTUBE } from './youtube.js';

const HOUR_MS = 3_600_000;

const creators = (count: number, hours: number, prefix = ''): WatchedCreator[] =>
  Array.from({ length: count }, (_, index) => ({
    source: 'twitch',
    target: `${prefix}${index}`,
    everyMs: hours * HOUR_MS,
    keepMs: null,
  }));

describe('planOf', () => {
  it.each([
    [1000, 3 * 10 + 2 * 1000],
    [10_000, 3 * 100 + 2 * 10_000],
    [100_000, 3 * 1000 + 2 * 100_000],
  ])('counts the calls of a round of Twitch about %i creators', (count, calls) => {
    expect(planOf(TWITCH, creators(count, 24), null)).toMatchObject({ first_calls: calls, calls_per_day: calls });
  });

  it('counts a call for each handle of YouTube in the first round only', () => {
    const plan = planOf(YOUTUBE, [...creators(50, 24), ...creators(10, 24, '@')], 8000);
    expect(plan).toMatchObject({ first_units: 11 + 60 + 60, units_per_day: 2 + 60 + 60, fits: true });
  });

  it('multiplies by how often each group is asked about', () => {
    const plan = planOf(BLUESKY, [...creators(25, 6), ...creators(25, 48)], null);
    expect(plan.calls_per_day).toBe(4 * 26 + 26 / 2);
  });

  it('does not fit if the units or the limit by minute are exceeded', () => {
    expect(planOf(YOUTUBE, creators(3900, 24), 7878)).toMatchObject({ units_per_day: 7878, fits: true });
    expect(planOf(YOUTUBE, creators(3900, 24), 7877)).toMatchObject({ fits: false });
    expect(planOf(TWITCH, creators(1_000_000, 24), null)).toMatchObject({ max_calls_per_day: 1_152_000, fits: false });
  });
});

describe('expectedCalls', () => {
  const target = (asked: Readonly<Record<string, number>>) => ({
    name: '1',
    handle: null,
    everyMs: HOUR_MS,
    state: { ...initialState('1', HOUR_MS, null), asked },
  });

  it('counts all steps of creators who were never asked about, and what is due of the others', () => {
    expect(expectedCalls(TWITCH, [target({}), target({})], 0)).toBe(3 + 4);
    const asked = { identity: 0, channels: 0, streams: 0, followers: 0, videos: -HOUR_MS };
    expect(expectedCalls(TWITCH, [target(asked)], 1)).toBe(1);
    expect(expectedCalls(TWITCH, [target({ ...asked, videos: 0 })], 1)).toBe(0);
  });
});
