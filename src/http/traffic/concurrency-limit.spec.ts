import { describe, expect, it } from '@jest/globals';
import { ConcurrencyLimit } from './concurrency-limit.js';

const LIMITS = { maxInFlight: 1000, maxWaitMs: 1000, overloadLatencyMs: 100, minInFlight: 50 };
const BUSY = { seconds: 1, utilization: 1 };
const IDLE = { seconds: 1, utilization: 0.5 };

/** The number of requests it admits at a time. */
const admittedBy = (limit: ConcurrencyLimit) => {
  let inFlight = 0;
  while (limit.admits(inFlight)) inFlight += 1;
  return inFlight;
};

/** A second with this many answers, and this many requests in flight. */
function second(limit: ConcurrencyLimit, answers: number, inFlight: number, span = BUSY): void {
  for (let nth = 0; nth < answers; nth += 1) limit.recordAnswer(inFlight);
  limit.sample(span);
}

describe('ConcurrencyLimit', () => {
  it('admits up to its maximum at any normal load', () => {
    expect(admittedBy(new ConcurrencyLimit(LIMITS))).toBe(1000);
  });

  it('after two seconds of a saturated process that answers late, admits what it can answer in time', () => {
    const limit = new ConcurrencyLimit(LIMITS);
    second(limit, 2000, 400);
    expect([admittedBy(limit), limit.maxWaitMs]).toEqual([1000, 1000]);
    second(limit, 2000, 400);
    expect([admittedBy(limit), limit.maxWaitMs]).toEqual([200, 100]);
  });

  it('stays reduced while more requests come than it admits, then returns to the maximum', () => {
    const limit = new ConcurrencyLimit(LIMITS);
    for (let nth = 0; nth < 2; nth += 1) second(limit, 2000, 400);
    expect(admittedBy(limit)).toBe(200);
    second(limit, 3000, 200);
    expect(admittedBy(limit)).toBe(300);
    limit.sample(BUSY);
    second(limit, 1000, 20);
    expect(admittedBy(limit)).toBe(1000);
  });

  it('does not count waiting for a slow store as overload', () => {
    const limit = new ConcurrencyLimit(LIMITS);
    for (let nth = 0; nth < 5; nth += 1) second(limit, 300, 900, IDLE);
    expect(admittedBy(limit)).toBe(1000);
  });

  it('does not count a saturated process that answers in time as overload', () => {
    const limit = new ConcurrencyLimit(LIMITS);
    for (let nth = 0; nth < 5; nth += 1) second(limit, 5000, 400);
    expect(admittedBy(limit)).toBe(1000);
  });

  it('admits its minimum even when nothing is answered', () => {
    const limit = new ConcurrencyLimit(LIMITS);
    for (let nth = 0; nth < 2; nth += 1) second(limit, 100, 400);
    expect(admittedBy(limit)).toBe(50);
  });
});
