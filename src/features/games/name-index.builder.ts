import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { NameIndex } from './name-index.js';
import type { WordArrays } from './prefix-table.js';

export interface NamedGame {
  readonly num: number;
  readonly name: string;
  /** Index words beside those of the name. */
  readonly tags: readonly string[];
}

/** Builds in a worker thread, off the event loop. @param pages games in result order @param signal ends the thread */
export async function buildNameIndex(
  pages: AsyncIterable<readonly NamedGame[]>,
  signal: AbortSignal,
): Promise<NameIndex> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./name-index.worker.mjs', import.meta.url));
  const ended = new AbortController();
  try {
    const [nums, [words]] = await Promise.all([
      sendAll(pages, worker, AbortSignal.any([signal, ended.signal])),
      once(worker, 'message', { signal }) as Promise<[WordArrays]>, // rejects if the thread fails
    ]);
    return new NameIndex(new Uint32Array(nums), words);
  } finally {
    ended.abort();
    await worker.terminate();
  }
}

/** @returns the games' numbers, by rank */
async function sendAll(
  pages: AsyncIterable<readonly NamedGame[]>,
  worker: Worker,
  signal: AbortSignal,
): Promise<number[]> {
  const nums: number[] = [];
  for await (const page of pages) {
    signal.throwIfAborted();
    for (const { num } of page) nums.push(num);
    worker.postMessage(page);
  }
  worker.postMessage(null);
  return nums;
}
