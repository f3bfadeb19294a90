import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { TIMED_OUT, withTimeout } from './with-timeout.js';

const never = new Promise<never>(() => undefined);

/** Keeps the process busy, so that it sees neither timers nor messages. */
function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('withTimeout', () => {
  it('returns what the work returns, and throws what it throws', async () => {
    expect(await withTimeout(Promise.resolve('done'), 1000, TIMED_OUT)).toBe('done');
    await expect(withTimeout(Promise.reject(new Error('broken')), 1000, TIMED_OUT)).rejects.toThrow('broken');
  });

  it('returns `late` when the work takes longer, also with no time at all', async () => {
    expect(await withTimeout(never, 20, TIMED_OUT)).toBe(TIMED_OUT);
    expect(await withTimeout(never, -5, TIMED_OUT)).toBe(TIMED_OUT);
  });

  it('returns a result that came while the process was too busy to look at it', async () => {
    const work = readFile('package.json');
    const outcome = withTimeout(work, 2000, TIMED_OUT);
    block(3000);
    expect(await outcome).toBe(await work);
  });
});
