import { Worker } from 'node:worker_threads';

type Reply<T> = { readonly result: T } | { readonly error: { readonly message: string; readonly code: string } };

interface Waiting {
  readonly message: unknown;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

const THREAD_ENDED = 'THREAD_ENDED';

export interface ThreadSettings {
  /** Statements in flight: enough to keep the thread busy, few enough that their values and rows do not pile up. */
  readonly ahead: number;
  /** Limit of V8's young generation in this thread; the default would let tens of megabytes of short-lived objects pile up. */
  readonly youngMib: number;
  /** How long a transaction waits for another process's. */
  readonly busyMs: number;
  /** Polling interval for the lock; null: as SQLite does. */
  readonly retryMs: number | null;
  readonly pragmas: readonly string[];
}

/** A refusal by SQLite with the driver's result code, or `THREAD_ENDED`. */
export class SqliteThreadError extends Error {
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
}

/** A worker thread with a connection of its own, started by the first call. It answers in order. When it dies, the
 * calls that wait are rejected, and the next call starts another. */
export class SqliteThread {
  #worker: Worker | null = null;
  readonly #waiting: Waiting[] = [];
  /** How many of those the thread has, from the first on. */
  #sent = 0;
  #isSending = false;

  /** @param script plain JavaScript: the same file serves build and tests */
  constructor(
    private readonly script: URL,
    private readonly path: string,
    private readonly settings: ThreadSettings,
  ) {}

  /** @throws SqliteThreadError */
  ask<T>(message: unknown): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ message, resolve: resolve as Waiting['resolve'], reject });
      // Batched per tick: a message costs more than most of its statements.
      if (!this.#isSending) process.nextTick(() => this.#send());
      this.#isSending = true;
    });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #send(): void {
    this.#isSending = false;
    const next = this.#waiting.slice(this.#sent, this.settings.ahead).map(({ message }) => message);
    if (next.length === 0) return;
    this.#worker ??= this.#start();
    this.#worker.postMessage(next);
    this.#sent += next.length;
  }

  #start(): Worker {
    const resourceLimits = { maxYoungGenerationSizeMb: this.settings.youngMib };
    const worker = new Worker(this.script, { workerData: { path: this.path, ...this.settings }, resourceLimits });
    const end = (error: SqliteThreadError) => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      this.#sent = 0;
      for (const waiting of this.#waiting.splice(0)) waiting.reject(error);
    };
    worker.on('message', (replies: readonly Reply<unknown>[]) => {
      if (this.#worker !== worker) return;
      this.#sent -= replies.length;
      for (const reply of replies) {
        const waiting = this.#waiting.shift();
        if ('result' in reply) waiting?.resolve(reply.result);
        else waiting?.reject(new SqliteThreadError(reply.error.message, reply.error.code));
      }
      this.#send();
    });
    worker.on('error', ({ message }) => end(new SqliteThreadError(message, THREAD_ENDED)));
    worker.on('exit', () => end(new SqliteThreadError('a thread of the embedded database has ended', THREAD_ENDED)));
    return worker;
  }
}
