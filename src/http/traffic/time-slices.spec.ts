import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../errors/api-error.js';
import { TimeSlices } from './time-slices.js';

const LIMITS = { sliceMs: 0, maxMs: 60_000 };
const OWNER = 'a key';

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
    expect(new TimeSlices({ ...LIMITS, sliceMs: 60_000 }).run(task('a', 3, []), OWNER)).toBe('a');
  });

  it('suspend a long task, so that other code runs', async () => {
    const seen: string[] = [];
    const result = new TimeSlices(LIMITS).run(task('a', 3, seen), OWNER);
    seen.push('other code');
    expect(await result).toBe('a');
    expect(seen).toEqual(['a1', 'other code', 'a2', 'a3']);
  });

  it('run one slice in each turn of the event loop, of all tasks in turn', async () => {
    const seen: string[] = [];
    const slices = new TimeSlices(LIMITS);
    const results = ['a', 'b', 'c'].map((name) => slices.run(task(name, 3, seen), OWNER));
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
    const slices = new TimeSlices(LIMITS);
    const failing = slices.run(
      (function* () {
        yield;
        throw new Error('damaged');
      })(),
      OWNER,
    );
    const other = slices.run(task('b', 2, []), OWNER);
    await expect(failing).rejects.toThrow('damaged');
    expect(await other).toBe('b');
  });

  it('give up a task that takes too long', async () => {
    const result = new TimeSlices({ ...LIMITS, maxMs: 0 }).run(task('a', 2, []), OWNER);
    await expect(result).rejects.toBeInstanceOf(ApiError);
  });

  it('give owners turns, so that many tasks of one owner delay another owner by one step each', async () => {
    const seen: string[] = [];
    const slices = new TimeSlices(LIMITS);
    const flood = ['a', 'b', 'c', 'd'].map((name) => slices.run(task(name, 2, seen), OWNER));
    const other = slices.run(task('x', 3, seen), 'another key');
    expect(await other).toBe('x');
    expect(seen.join('')).toBe('a1a2x1b1x2c1x3d1');
    await Promise.all(flood.map((result) => Promise.resolve(result)));
  });
});
