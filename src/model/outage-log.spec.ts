import { describe, expect, it } from '@jest/globals';
import { OutageLog } from './outage-log.js';

describe('OutageLog', () => {
  it('logs the first failure immediately, others once a minute, then one line with how long the outage was and what waits', () => {
    const lines: unknown[] = [];
    let nowMs = 0;
    const write = (details: object, message: string) => void lines.push([message, details]);
    const log = new OutageLog({ warn: write, info: write } as never, 'down', 'back', () => nowMs);
    log.finish();
    expect([log.isOpen, lines]).toEqual([false, []]);
    for (; nowMs < 61_000; nowMs += 500) log.fail({ nth: nowMs });
    expect(log.isOpen).toBe(true);
    log.finish({ unsettled_records: 7 });
    log.finish();
    expect(log.isOpen).toBe(false);
    expect(lines).toEqual([
      ['down', { nth: 0, count: 1 }],
      ['down', { nth: 60_000, count: 120 }],
      ['back', { down_ms: 61_000, unsettled_records: 7 }],
    ]);
  });

  it('logs outages that follow each other within a second once', () => {
    const lines: unknown[] = [];
    let nowMs = 0;
    const log = new OutageLog(
      { warn: (details: object) => void lines.push(details), info: () => undefined } as never,
      '',
      '',
      () => nowMs,
    );
    for (; nowMs < 2000; nowMs += 500) {
      log.fail({ nth: nowMs });
      log.finish();
    }
    expect(lines).toEqual([
      { nth: 0, count: 1 },
      { nth: 1000, count: 2 },
    ]);
  });
});
