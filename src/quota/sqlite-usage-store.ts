import { Worker } from 'node:worker_threads';
import { encodeRecord, totalsOf, type UsageGroup } from './usage-record.js';
import { firstAt, type UsageStore } from './usage-store.js';

interface Reply {
  readonly error: string | null;
}

interface Waiting {
  resolve(): void;
  reject(error: Error): void;
}

/**
 * Usage records in the embedded database, written by a thread of its own: a commit waits for the disk, and for other
 * writers such as an import, and neither may hold up the requests.
 */
export class SqliteUsageStore implements UsageStore {
  #worker: Worker | null = null;
  readonly #waiting: Waiting[] = [];

  constructor(private readonly path: string) {
    this.#worker = this.#start();
  }

  write(groups: readonly UsageGroup[]): Promise<void> {
    return this.settle([], groups);
  }

  settle(attempted: readonly UsageGroup[], truth: readonly UsageGroup[]): Promise<void> {
    return new Promise((resolve, reject) => {
      // The worker answers in order.
      this.#waiting.push({ resolve, reject });
      this.#worker ??= this.#start();
      this.#worker.postMessage({ attempted: attempted.map(rowOf), truth: truth.map(rowOf) });
    });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  /** A thread that fails is replaced at the next write; what waited for it is told, and tried again by the caller. */
  #start(): Worker {
    const worker = new Worker(new URL('./sqlite-usage-writer.mjs', import.meta.url), {
      workerData: { path: this.path },
    });
    const end = (error: Error) => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      for (const waiting of this.#waiting.splice(0)) waiting.reject(error);
    };
    worker.on('message', ({ error }: Reply) => {
      const waiting = this.#waiting.shift();
      if (error === null) waiting?.resolve();
      else waiting?.reject(new Error(error));
    });
    worker.on('error', end);
    worker.on('exit', () => end(new Error('the thread that writes usage records has ended')));
    return worker;
  }
}

const rowOf = (group: UsageGroup) => ({
  key: [group.day, firstAt(group), group.id],
  document: group.records.map(encodeRecord).join('\n'),
  totals: totalsOf([group]),
});
