import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { NameIndex } from './name-index.js';
import type { WordArrays } from './prefix-table.js';

/** Game to index. */
export interface NamedGame {
  readonly num: number;
  readonly name: string;
  /** Index words in addition to those of the name. */
  readonly tags: readonly string[];
}

/** Builds an index in a worker thread. @param pages games in the order of results @param signal aborts the build */
export async function buildNameIndex(
  pages: AsyncIterable<readonly NamedGame[]>,
  signal: AbortSignal,
): Promise<NameIndex> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./name-index.worker.mjs', import.meta.url));
  const ended = new AbortController();
  try {
    const [nums, [words]] = await Promise.all([
      sendPages(pages, worker, AbortSignal.any([signal, ended.signal])),
      once(worker, 'message', { signal }) as Promise<[WordArrays]>, // rejects if the thread fails
    ]);
    return new NameIndex(new Uint32Array(nums), words);
  } finally {
    ended.abort();
    await worker.terminate();
  }
}

/** Sends all pages to the thread. @returns the numbers of the games by rank */
async function sendPages(
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
