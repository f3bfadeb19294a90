import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { FairQueue, QueueFullError } from './fair-queue.js';

const never = () => new AbortController().signal;

describe('FairQueue', () => {
  let queue: FairQueue;
  /** Calls in the order in which they started, each with what ends it. */
  let started: { readonly name: string; readonly end: () => void }[];
  beforeEach(() => {
    queue = new FairQueue({ maxRunning: 3, maxRunningPerOwner: 2, maxCalls: 7 });
    started = [];
  });

  /** Queues a call. @returns its outcome, once it has one */
  function call(name: string, signal = never()) {
    const outcome = { is: 'waiting or running' };
    const run = () => new Promise<void>((resolve) => started.push({ name, end: resolve }));
    queue.run(name.charAt(0), signal, run).then(
      () => (outcome.is = 'done'),
      (error: unknown) => (outcome.is = error instanceof QueueFullError ? 'rejected' : 'failed'),
    );
    return outcome;
  }

  const names = () => started.map(({ name }) => name);

  /** Ends calls in the order in which they started, until none is left. */
  async function endAll() {
    await nextTurn();
    for (let at = 0; at < started.length; at += 1) {
      started[at]?.end();
      await nextTurn();
    }
  }

  it('runs no more calls of an owner, and of all owners, than allowed', async () => {
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) call(name);
    await nextTurn();
    expect(names()).toEqual(['a1', 'a2', 'b1']);
    started[0]?.end();
    await nextTurn();
    expect(names()).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('gives each owner with a waiting call its turn', async () => {
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) call(name);
    await endAll();
    expect(names()).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'c1', 'a4']);
  });

  it('rejects the newest call of the owner with most waiting when it is full', async () => {
    const last = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7'].map((name) => call(name)).at(-1);
    const beyond = call('a8');
    const other = call('b1');
    await nextTurn();
    expect([last?.is, beyond.is, names()]).toEqual(['rejected', 'rejected', ['a1', 'a2', 'b1']]);
    await endAll();
    expect([other.is, names()]).toEqual(['done', ['a1', 'a2', 'b1', 'a3', 'a4', 'a5', 'a6']]);
  });

  it('rejects a call of whoever has as many waiting as anybody else', async () => {
    for (const name of ['a1', 'a2', 'b1', 'a3', 'a4', 'b2', 'b3']) call(name);
    const beyond = call('b4');
    await nextTurn();
    expect(beyond.is).toBe('rejected');
  });

  it('rejects a waiting call whose signal is aborted, and frees its slot', async () => {
    const controller = new AbortController();
    for (const name of ['a1', 'a2']) call(name);
    const waiting = call('a3', controller.signal);
    controller.abort();
    await nextTurn();
    expect(waiting.is).toBe('rejected');
    const later = ['a4', 'a5', 'a6', 'a7', 'a8'].map((name) => call(name));
    await endAll();
    expect([later.map(({ is }) => is), names()]).toEqual([
      Array<string>(5).fill('done'),
      ['a1', 'a2', 'a4', 'a5', 'a6', 'a7', 'a8'],
    ]);
  });

  it('does not reject a running call whose signal is aborted', async () => {
    const controller = new AbortController();
    const running = call('a1', controller.signal);
    controller.abort();
    await endAll();
    expect(running.is).toBe('done');
  });

  it('rejects a call that has waited for its time limit', async () => {
    await queue.enter('a', null, 2);
    await expect(queue.enter('a', 10)).rejects.toBeInstanceOf(QueueFullError);
    queue.leave('a', 2);
    await queue.enter('a', 10, 2);
  });

  it('frees the slot of a call that throws', async () => {
    const failing = () => queue.run('a', never(), () => Promise.reject(new Error('failed')));
    for (let time = 0; time < 8; time += 1) await expect(failing()).rejects.toThrow('failed');
  });

  it('counts a call by its weight, and starts one without a wait if there is room', async () => {
    await queue.enter('a', never(), 2);
    const hasRoomFor = (owner: string, weight: number) => {
      const hasStarted = queue.tryEnter(owner, weight);
      if (hasStarted) queue.leave(owner, weight);
      return hasStarted;
    };
    const rooms = () => [hasRoomFor('a', 1), hasRoomFor('b', 1), hasRoomFor('b', 2)];
    expect(rooms()).toEqual([false, true, false]);
    const heavy = queue.enter('b', never(), 2).then(() => 'started');
    expect(await Promise.race([heavy, nextTurn('waiting')])).toBe('waiting');
    expect(rooms()).toEqual([false, false, false]);
    queue.leave('a', 2);
    expect(await heavy).toBe('started');
    expect(rooms()).toEqual([true, false, false]);
  });

  it('keeps room for a heavy call whose turn it is, which light ones do not take', async () => {
    await Promise.all([queue.enter('a', never(), 2), queue.enter('b', never())]);
    const heavy = queue.enter('c', never(), 2).then(() => 'started');
    queue.leave('b');
    const light = queue.enter('d', never()).then(() => 'started');
    expect(await Promise.race([heavy, light, nextTurn('waiting')])).toBe('waiting');
    queue.leave('a', 2);
    expect(await Promise.all([heavy, light])).toEqual(['started', 'started']);
  });
});
