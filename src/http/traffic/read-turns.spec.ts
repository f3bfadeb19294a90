import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../errors/api-error.js';
import { ReadTurns } from './read-turns.js';

describe('turns for requests that read many records', () => {
  const turns = () => new ReadTurns({ maxRunning: 300, maxRunningPerOwner: 200, maxCalls: 3 });

  it('are free for as many records as a key may read at a time, and for other keys', () => {
    const reads = turns();
    const taken = [100, 100, 1].map((records) => reads.tryEnter('a', records) !== null);
    expect([taken, reads.tryEnter('b', 100) !== null]).toEqual([[true, true, false], true]);
  });

  it('are waited for until an earlier one ends', async () => {
    const reads = turns();
    const ends = [reads.tryEnter('a', 100), reads.tryEnter('a', 100)];
    const waiting = reads.enter('a', 50);
    ends[0]?.();
    (await waiting)();
    expect(reads.tryEnter('a', 100)).not.toBeNull();
  });

  it('are refused with 503 to the key with most waiting, when too many wait', async () => {
    const reads = turns();
    reads.tryEnter('a', 100);
    reads.tryEnter('a', 100);
    const waiting = reads.enter('a', 100);
    await expect(reads.enter('a', 100)).rejects.toBeInstanceOf(ApiError);
    const refused = expect(waiting).rejects.toBeInstanceOf(ApiError);
    expect(await reads.enter('b', 100)).toBeInstanceOf(Function);
    await refused;
  });

  it('take an invalid number of records for one, and too many for a batch', () => {
    const reads = new ReadTurns({ maxRunning: 300, maxRunningPerOwner: 200, maxCalls: 10 });
    const taken = [Number.NaN, -5, 198].map((records) => reads.tryEnter('a', records) !== null);
    expect([taken, reads.tryEnter('a', 98) !== null, reads.tryEnter('a', 1)]).toEqual([[true, true, true], true, null]);
  });
});
