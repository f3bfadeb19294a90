import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../errors/api-error.js';
import { ReadTurns } from './read-turns.js';

describe('turns for requests that read many records', () => {
  const SMALL = 100 * 1024;
  /** Starts with a kind whose records are known to be small. */
  const turns = (limits = { maxRunning: 300, maxRunningPerOwner: 200, maxCalls: 3 }) => {
    const reads = new ReadTurns(limits);
    reads.tryEnter('first', 'small', 1)?.(SMALL);
    return reads;
  };

  it('are free for as many records as a key may read at a time, and for other keys', () => {
    const reads = turns();
    const taken = [100, 100, 1].map((records) => reads.tryEnter('a', 'small', records) !== null);
    expect([taken, reads.tryEnter('b', 'small', 100) !== null]).toEqual([[true, true, false], true]);
  });

  it('are waited for until an earlier one ends', async () => {
    const reads = turns();
    const ends = [reads.tryEnter('a', 'small', 100), reads.tryEnter('a', 'small', 100)];
    const waiting = reads.enter('a', 'small', 50);
    ends[0]?.(0);
    (await waiting)(0);
    expect(reads.tryEnter('a', 'small', 100)).not.toBeNull();
  });

  it('are refused with 503 to the key with most waiting, when too many wait', async () => {
    const reads = turns();
    reads.tryEnter('a', 'small', 100);
    reads.tryEnter('a', 'small', 100);
    const waiting = reads.enter('a', 'small', 100);
    await expect(reads.enter('a', 'small', 100)).rejects.toBeInstanceOf(ApiError);
    const refused = waiting.catch((error: unknown) => error);
    expect(await reads.enter('b', 'small', 100)).toBeInstanceOf(Function);
    expect(await refused).toBeInstanceOf(ApiError);
  });

  describe('of a kind', () => {
    const LIMITS = { maxRunning: 9600, maxRunningPerOwner: 3200, maxCalls: 100 };
    /** Takes all turns that are free. @returns their number */
    const takeAll = (reads: ReadTurns, kind: string, records: number, key = 'a') => {
      const ends = [];
      for (let end = reads.tryEnter(key, kind, records); end !== null; end = reads.tryEnter(key, kind, records)) {
        ends.push(end);
      }
      for (const end of ends) end(0);
      return ends.length;
    };

    it('are few until an answer has shown how large its records are', () => {
      const reads = turns(LIMITS);
      expect([takeAll(reads, 'unknown', 50), takeAll(reads, 'small', 50)]).toEqual([8, 64]);
    });

    it('are the fewer the larger its records were, and one at least', () => {
      const reads = turns(LIMITS);
      reads.tryEnter('a', 'large', 50)?.(50 * 32 * 1024);
      reads.tryEnter('a', 'huge', 50)?.(50 * 1024 * 1024);
      expect([takeAll(reads, 'large', 50), takeAll(reads, 'huge', 50)]).toEqual([16, 1]);
      expect(takeAll(reads, 'small', 50)).toBe(64);
    });

    it('do not become more by small answers that follow', () => {
      const reads = turns(LIMITS);
      reads.tryEnter('a', 'huge', 50)?.(50 * 1024 * 1024);
      for (let time = 0; time < 100; time += 1) reads.tryEnter('a', 'huge', 1)?.(SMALL);
      expect(takeAll(reads, 'huge', 50)).toBe(1);
    });
  });

  it('take an invalid number of records for one, and too many for a batch', () => {
    const reads = turns({ maxRunning: 300, maxRunningPerOwner: 200, maxCalls: 10 });
    const taken = [Number.NaN, -5, 198].map((records) => reads.tryEnter('a', 'small', records) !== null);
    expect([taken, reads.tryEnter('a', 'small', 98) !== null, reads.tryEnter('a', 'small', 1)]).toEqual([
      [true, true, true],
      true,
      null,
    ]);
  });
});
