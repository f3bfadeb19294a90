import { describe, expect, it } from '@jest/globals';
import { DURATION_BUCKETS, DurationHistogram } from './duration-histogram.js';

const countsOf = (...milliseconds: number[]) => {
  const histogram = new DurationHistogram();
  for (const duration of milliseconds) histogram.observe(duration);
  return Object.fromEntries([...DURATION_BUCKETS, 'all'].map((bound, at) => [bound, histogram.cumulative()[at]]));
};

describe('DurationHistogram', () => {
  it('counts a duration in every bucket whose bound is not below it', () => {
    expect(countsOf(30)).toMatchObject({ 0.01: 0, 0.025: 0, 0.05: 1, 10: 1, all: 1 });
  });

  it('includes the upper bound in a bucket', () => {
    expect(countsOf(1, 10_000)).toMatchObject({ 0.001: 1, 5: 1, 10: 2, all: 2 });
  });

  it('counts a duration beyond all bounds in the total only', () => {
    expect(countsOf(10_001)).toMatchObject({ 10: 0, all: 1 });
  });

  it('sums durations in seconds', () => {
    const histogram = new DurationHistogram();
    histogram.observe(1500);
    histogram.observe(250);
    expect(histogram.sum).toBe(1.75);
  });
});
