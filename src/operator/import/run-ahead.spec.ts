import { describe, expect, it } from '@jest/globals';
import { runAhead } from './run-ahead.js';

/** Work whose end the test decides. */
function controlledWork() {
  const started: number[] = [];
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const work = (item: number) => {
    started.push(item);
    return new Promise<void>((resolve, reject) => ends.push({ resolve, reject }));
  };
  return { started, ends, work };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('runAhead', () => {
  it('starts the first items at once, and each other one when the oldest has ended', async () => {
    const { started, ends, work } = controlledWork();
    const running = runAhead([1, 2, 3, 4, 5], 2, work);
    await settle();
    expect(started).toEqual([1, 2]);
    ends[1]?.resolve();
    await settle();
    expect(started).toEqual([1, 2]);
    ends[0]?.resolve();
    await settle();
    expect(started).toEqual([1, 2, 3, 4]);
    for (const nth of [2, 3]) ends[nth]?.resolve();
    await settle();
    ends[4]?.resolve();
    await running;
    expect(started).toEqual([1, 2, 3, 4, 5]);
  });

  it('starts nothing after an error, and reports it once all work has ended', async () => {
    const { started, ends, work } = controlledWork();
    let outcome = 'running';
    const running = runAhead([1, 2, 3], 2, work).catch((error: Error) => (outcome = error.message));
    ends[0]?.reject(new Error('broken'));
    await settle();
    expect([started, outcome]).toEqual([[1, 2], 'running']);
    ends[1]?.reject(new Error('later'));
    await running;
    expect([started, outcome]).toEqual([[1, 2], 'broken']);
  });

  it('does nothing without items', async () => {
    await expect(runAhead([], 2, () => Promise.reject(new Error('called')))).resolves.toBeUndefined();
  });
});
