import { describe, expect, it } from '@jest/globals';
import { prefetch, runAhead } from './run-ahead.js';

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

describe('prefetch', () => {
  /** Yields 1, and 2 as soon as `end` was called. */
  function controlledItems() {
    let end = () => undefined as void;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const requested: number[] = [];
    async function* items() {
      requested.push(1);
      yield 1;
      requested.push(2);
      await ended;
      yield 2;
    }
    return { items: items(), requested, end };
  }

  it('requests the next item while one is processed', async () => {
    const { items, requested, end } = controlledItems();
    const seen: number[] = [];
    for await (const item of prefetch(items)) {
      seen.push(item);
      expect(requested).toEqual([1, 2]);
      end();
    }
    expect(seen).toEqual([1, 2]);
  });

  it.each([
    ['does not wait', false],
    ['waits', true],
  ])('%s for the requested item when the consumer stops early, if told %s', async (_, waits) => {
    const { items, end } = controlledItems();
    let isOver = false;
    const consuming = (async () => {
      for await (const item of prefetch(items, waits)) if (item === 1) break;
      isOver = true;
    })();
    await settle();
    expect(isOver).toBe(!waits);
    end();
    await consuming;
  });
});
