import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../errors/api-error.js';
import { ReadTurns } from './read-turns.js';

describe('turns for requests that read many records', () => {
  const LIMITS = { maxRunning: 300, maxRunningPerOwner: 200, maxCalls: 3 };
  const turns = (small = LIMITS) => new ReadTurns({ small, large: LIMITS });

  it('are free for as many records as a key may read at a time, and for other keys', () => {
    const reads = turns();
    const taken = [100, 100, 1].map((records) => reads.tryEnter('a', records) !== null);
    expect([taken, reads.tryEnter('b', 100) !== null]).toEqual([[true, true, false], true]);
  });

  it('are waited for until an earlier one ends', async () => {
    const reads = turns();
    const ends = [reads.tryEnter('a', 100), reads.tryEnter('a', 100)];
    const waiting = reads.enter('a', 50);
    ends[0]?.(0);
    (await waiting)(0);
    expect(reads.tryEnter('a', 100)).not.toBeNull();
  });

  it('are refused with 503 to the key with most waiting, when too many wait', async () => {
    const reads = turns();
    reads.tryEnter('a', 100);
    reads.tryEnter('a', 100);
    const waiting = reads.enter('a', 100);
    await expect(reads.enter('a', 100)).rejects.toBeInstanceOf(ApiError);
    const refused = waiting.catch((error: unknown) => error);
    expect(await reads.enter('b', 100)).toBeInstanceOf(Function);
    expect(await refused).toBeInstanceOf(ApiError);
  });

  it('are fewer once an answer had large records', () => {
    const reads = turns({ maxRunning: 3000, maxRunningPerOwner: 3000, maxCalls: 100 });
    const take = () => reads.tryEnter('a', 100);
    const endOnce = [take(), take(), take()];
    endOnce[0]?.(100 * 40_000 - 1);
    expect(take()).not.toBeNull();
    endOnce[1]?.(100 * 50_000);
    expect([take(), reads.tryEnter('b', 100)]).toEqual([null, expect.any(Function)]);
  });

  it('take an invalid number of records for one, and too many for a batch', () => {
    const reads = turns({ ...LIMITS, maxCalls: 10 });
    const taken = [Number.NaN, -5, 198].map((records) => reads.tryEnter('a', records) !== null);
    expect([taken, reads.tryEnter('a', 98) !== null, reads.tryEnter('a', 1)]).toEqual([[true, true, true], true, null]);
  });
});
