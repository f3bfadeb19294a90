import { describe, expect, it } from '@jest/globals';
import { SparingLog } from './sparing-log.js';

describe('a sparing log', () => {
  it('writes the first at once, then one line a second, with the number since the line before', () => {
    const lines: unknown[] = [];
    let nowMs = 0;
    const log = new SparingLog(
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
