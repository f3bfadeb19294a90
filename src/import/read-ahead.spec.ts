import { describe, expect, it } from '@jest/globals';
import { ReadAhead } from './read-ahead.js';

/** Gives one to three, and notes how far it was asked. */
function oneToThree(end: () => void = () => undefined) {
  const made: number[] = [];
  async function* numbers(): AsyncGenerator<number, void> {
    for (const number of [1, 2, 3]) {
      made.push(number);
      yield number;
    }
    end();
  }
  return { made, numbers: numbers() };
}

async function all<T>(ahead: ReadAhead<T>): Promise<T[]> {
  const taken: T[] = [];
  for (let next = await ahead.next(); next !== null; next = await ahead.next()) {
    taken.push(next);
    ahead.makeMore(1);
  }
  return taken;
}

describe('reading ahead', () => {
  it.each([1, 2, 10])(
    'gives everything in its order, and then null however often, when %d exist at a time',
    async (depth) => {
      const ahead = new ReadAhead(oneToThree().numbers, depth);
      expect(await all(ahead)).toEqual([1, 2, 3]);
      expect(await ahead.next()).toBeNull();
    },
  );

  it('makes as many as may exist, and more only when some are done with', async () => {
    const { made, numbers } = oneToThree();
    const ahead = new ReadAhead(numbers, 2);
    expect(await ahead.isReady(1000)).toBe(true);
    await new Promise(setImmediate);
    expect(made).toEqual([1, 2]);
    expect([await ahead.next(), await ahead.next(), await ahead.next()]).toEqual([1, 2, null]);
    ahead.makeMore(1);
    expect([await ahead.next(), made]).toEqual([3, [1, 2, 3]]);
  });

  it('fails in the place where its source fails, however early that was', async () => {
    const failing = oneToThree(() => {
      throw new Error('the source is broken');
    });
    const ahead = new ReadAhead(failing.numbers, 10);
    await new Promise(setImmediate);
    expect([await ahead.next(), await ahead.next(), await ahead.next()]).toEqual([1, 2, 3]);
    expect(await ahead.isReady(1000)).toBe(true);
    await expect(ahead.next()).rejects.toThrow('the source is broken');
  });

  it('is ready when the next is there, and not at the end', async () => {
    const ahead = new ReadAhead(oneToThree().numbers, 1);
    expect(await ahead.isReady(1000)).toBe(true);
    await all(ahead);
    expect(await ahead.isReady(1000)).toBe(false);
  });

  it('does not wait longer than asked for a source that pauses', async () => {
    async function* silent(): AsyncGenerator<number, void> {
      await new Promise(() => undefined);
      yield 1;
    }
    expect(await new ReadAhead(silent(), 1).isReady(5)).toBe(false);
  });
});
