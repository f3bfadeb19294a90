import { describe, expect, it } from '@jest/globals';
import { Arrivals } from './arrivals.js';

describe('requests in flight', () => {
  it('are known by the second of the oldest one, whatever order they end in', () => {
    const arrivals = new Arrivals();
    expect(arrivals.oldestReceivedAt).toBe(Infinity);
    const [a, b, c] = [arrivals.begin(5400), arrivals.begin(5999), arrivals.begin(8000)];
    expect(arrivals.oldestReceivedAt).toBe(5000);
    c.end();
    a.end();
    expect(arrivals.oldestReceivedAt).toBe(5000);
    const d = arrivals.begin(9001);
    b.end();
    expect(arrivals.oldestReceivedAt).toBe(9000);
    d.end();
    expect(arrivals.oldestReceivedAt).toBe(Infinity);
  });

  it('are kept apart when the clock is set back', () => {
    const arrivals = new Arrivals();
    const late = arrivals.begin(9000);
    const early = arrivals.begin(3000);
    const again = arrivals.begin(9500);
    expect(arrivals.oldestReceivedAt).toBe(3000);
    early.end();
    expect(arrivals.oldestReceivedAt).toBe(9000);
    late.end();
    expect(arrivals.oldestReceivedAt).toBe(9000);
    again.end();
    expect(arrivals.oldestReceivedAt).toBe(Infinity);
  });
});
