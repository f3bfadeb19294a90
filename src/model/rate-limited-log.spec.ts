import { describe, expect, it } from '@jest/globals';
import { RateLimitedLog } from './rate-limited-log.js';

describe('SparingLog', () => {
  it('logs the first warning immediately, then one per second with the count since the previous line', () => {
    const lines: unknown[] = [];
    let nowMs = 0;
    const log = new RateLimitedLog(
      { warn: (details: object) => void lines.push(details) } as never,
      'store unavailable',
      () => nowMs,
    );
    for (; nowMs < 2500; nowMs += 100) log.warn({ nth: nowMs });
    expect(lines).toEqual([
      { nth: 0, count: 1 },
      { nth: 1000, count: 10 },
      { nth: 2000, count: 10 },
    ]);
  });
});
