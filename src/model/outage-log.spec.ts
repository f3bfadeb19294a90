import { describe, expect, it } from '@jest/globals';
import { OutageLog } from './outage-log.js';

describe('OutageLog', () => {
  it('logs failures at most once per second, then one line with how long the outage was and what waits', () => {
    const lines: unknown[] = [];
    let nowMs = 0;
    const write = (details: object, message: string) => void lines.push([message, details]);
    const log = new OutageLog({ warn: write, info: write } as never, 'down', 'back', () => nowMs);
    log.finish();
    expect([log.isOpen, lines]).toEqual([false, []]);
    for (; nowMs < 1500; nowMs += 500) log.fail({ nth: nowMs });
    expect(log.isOpen).toBe(true);
    log.finish({ unsettled_records: 7 });
    log.finish();
    expect(log.isOpen).toBe(false);
    expect(lines).toEqual([
      ['down', { nth: 0, count: 1 }],
      ['down', { nth: 1000, count: 2 }],
      ['back', { down_ms: 1500, unsettled_records: 7 }],
    ]);
  });
});
