import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../errors/api-error.js';
import { TimeSlices } from './time-slices.js';

const LONG_MS = 60_000;

describe('time slices', () => {
  /** Takes steps, each of which it writes down. */
  function* task(name: string, steps: number, seen: string[]): Generator<void, string> {
    for (let step = 1; step <= steps; step += 1) {
      seen.push(`${name}${step}`);
      yield;
    }
    return name;
  }

  it('run a short task at once', () => {
    expect(new TimeSlices(LONG_MS).run(task('a', 3, []))).toBe('a');
  });

  it('suspend a long task, so that other code runs', async () => {
    const seen: string[] = [];
    const result = new TimeSlices(0).run(task('a', 3, seen));
    seen.push('other code');
    expect(await result).toBe('a');
    expect(seen).toEqual(['a1', 'other code', 'a2', 'a3']);
  });

  it('run one slice in each turn of the event loop, of all tasks in turn', async () => {
    const seen: string[] = [];
    const slices = new TimeSlices(0);
    const results = ['a', 'b', 'c'].map((name) => slices.run(task(name, 3, seen)));
    let isRunning = true;
    const countTurn = () => {
      seen.push('|');
      if (isRunning) setImmediate(countTurn);
    };
    setImmediate(countTurn);
    await Promise.all(results.map((result) => Promise.resolve(result)));
    isRunning = false;
    const steps = seen.join('');
    expect(steps.replaceAll('|', '')).toBe('a1a2b1c1a3b2c2b3c3');
    for (const turn of steps.split('|').slice(1)) expect(turn.length).toBeLessThanOrEqual(2);
  });

  it('reject with the error of a task, and run the others', async () => {
    const slices = new TimeSlices(0);
    const failing = slices.run(
      (function* () {
        yield;
        throw new Error('damaged');
      })(),
    );
    const other = slices.run(task('b', 2, []));
    await expect(failing).rejects.toThrow('damaged');
    expect(await other).toBe('b');
  });

  it('give up a task that takes too long', async () => {
    const result = new TimeSlices(0, 0).run(task('a', 2, []));
    await expect(result).rejects.toBeInstanceOf(ApiError);
  });
});
