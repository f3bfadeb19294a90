import { describe, expect, it } from '@jest/globals';
import { DURATION_BUCKETS, DurationHistogram } from './duration-histogram.js';

const countsOf = (...milliseconds: number[]) => {
  const histogram = new DurationHistogram();
  for (const duration of milliseconds) histogram.observe(duration);
  return Object.fromEntries([...DURATION_BUCKETS, 'all'].map((bound, at) => [bound, histogram.cumulative()[at]]));
};

describe('a histogram of durations', () => {
  it('counts a duration in every bucket that is as long or longer', () => {
    expect(countsOf(30)).toMatchObject({ 0.01: 0, 0.025: 0, 0.05: 1, 10: 1, all: 1 });
  });

  it('counts one that is exactly a bound as within it', () => {
    expect(countsOf(1, 10_000)).toMatchObject({ 0.001: 1, 5: 1, 10: 2, all: 2 });
  });

  it('counts one beyond all bounds among all', () => {
    expect(countsOf(10_001)).toMatchObject({ 10: 0, all: 1 });
  });

  it('sums them in seconds', () => {
    const histogram = new DurationHistogram();
    histogram.observe(1500);
    histogram.observe(250);
    expect(histogram.sum).toBe(1.75);
  });
});
