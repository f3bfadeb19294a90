import { describe, expect, it } from '@jest/globals';
import { hitCount, MINUTE_MS } from './minute-counters.js';
import { ProcessCounters } from './process-counters.js';

/** Creates counters with a limit of 2 and a clock that the test sets. */
function counters(startMs = 1_000) {
  let nowMs = startMs;
  const process = new ProcessCounters({ now: () => 0, elapsed: () => nowMs });
  return {
    hit: (key = 'key') => process.hit(key, MINUTE_MS, 2),
    increment: () => process.increment('key', MINUTE_MS, 2),
    setTime: (ms: number) => (nowMs = ms),
    size: () => process.size,
    close: () => process.close(),
  };
}

describe('ProcessCounters', () => {
  it('allows the limit and blocks the next hit', () => {
    const { hit } = counters();
    expect([hit(), hit(), hit()].map(({ totalHits, isBlocked }) => [totalHits, isBlocked])).toEqual([
      [1, false],
      [2, false],
      [3, true],
    ]);
  });

  it('starts a window with the first hit and does not extend it', () => {
    const { hit, setTime } = counters(5_000);
    expect(hit().timeToExpire).toBe(MINUTE_MS);
    setTime(5_000 + 40_000);
    expect(hit().timeToExpire).toBe(MINUTE_MS - 40_000);
  });

  it('blocks until the last millisecond of the window, then starts a new one', () => {
    const { hit, setTime } = counters(0);
    hit();
    hit();
    setTime(MINUTE_MS - 1);
    expect(hit()).toEqual({ totalHits: 3, timeToExpire: 1, isBlocked: true, timeToBlockExpire: 1 });
    setTime(MINUTE_MS);
    expect(hit()).toEqual({ totalHits: 1, timeToExpire: MINUTE_MS, isBlocked: false, timeToBlockExpire: 0 });
  });

  it('counts each key separately', () => {
    const { hit } = counters();
    hit('a');
    hit('a');
    expect(hit('b').totalHits).toBe(1);
    expect(hit('a').totalHits).toBe(3);
    expect(hit('__proto__').totalHits).toBe(1);
  });

  it('keeps an active window when it removes expired ones', () => {
    const { hit, setTime } = counters(0);
    hit('old');
    setTime(30_000);
    hit('young');
    setTime(MINUTE_MS + 1);
    expect(hit('old').totalHits).toBe(1);
    expect(hit('young').totalHits).toBe(2);
  });

  it('starts a new window on time although the expired one is still in memory', () => {
    const { hit, setTime, size } = counters(0);
    hit('other');
    setTime(10);
    hit();
    setTime(MINUTE_MS);
    hit('other');
    setTime(MINUTE_MS + 10);
    expect(size()).toBe(2);
    expect(hit().totalHits).toBe(1);
  });

  it('removes expired windows once per minute, not on every hit', () => {
    const { hit, setTime, size } = counters(0);
    hit('a');
    setTime(10);
    hit('b');
    setTime(MINUTE_MS - 1);
    hit('c');
    expect(size()).toBe(3);
    setTime(MINUTE_MS);
    hit('c');
    expect(size()).toBe(2);
    setTime(MINUTE_MS + 10);
    hit('c');
    expect(size()).toBe(2);
    setTime(2 * MINUTE_MS);
    hit('d');
    expect(size()).toBe(1);
  });

  it('has no windows after close', () => {
    const { hit, close, size } = counters();
    hit();
    close();
    expect(size()).toBe(0);
    expect(hit().totalHits).toBe(1);
  });

  it('returns the hit count that the throttler expects', async () => {
    expect(await counters().increment()).toEqual(hitCount(1, 2, MINUTE_MS));
  });

  it('continue from a higher count of another store, and never from a lower one', () => {
    const clock = { elapsed: () => 0, now: () => 0 };
    const counters = new ProcessCounters(clock);
    counters.raiseTo('a', 5, 30_000);
    expect(counters.hit('a', 60_000, 5)).toMatchObject({ totalHits: 6, isBlocked: true, timeToExpire: 30_000 });
    counters.raiseTo('a', 2, 30_000);
    expect(counters.hit('a', 60_000, 5).totalHits).toBe(7);
  });
});
