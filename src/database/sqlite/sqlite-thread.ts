import { Worker } from 'node:worker_threads';

/** What a thread answers to each message. */
type Reply<T> = { readonly result: T } | { readonly error: { readonly message: string; readonly code: string } };

interface Waiting {
  readonly message: unknown;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Messages a thread has at a time: enough for it not to wait, few enough for its answers not to pile up. */
const AHEAD = 6;

/** What is told to those who wait for a thread that ends. */
const THREAD_ENDED = 'THREAD_ENDED';

/** How a thread writes. */
export interface WriterSettings {
  /** Memory for what is short-lived, as everything there is; the default would let tens of megabytes pile up. */
  readonly youngMib: number;
  /** How long a transaction waits for another process's. */
  readonly busyMs: number;
  /** How often it looks again, null as SQLite does. */
  readonly retryMs: number | null;
  /** Of the connection. */
  readonly pragmas: readonly string[];
}

/** What SQLite refused, with its result code as the driver's own errors have it, or `THREAD_ENDED`. */
export class SqliteThreadError extends Error {
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
}

/**
 * A thread with a connection of its own to the embedded database. It starts with the first message and answers in
 * order; one that fails is replaced at the next message, and what waited for it is told.
 */
export class SqliteThread {
  #worker: Worker | null = null;
  readonly #waiting: Waiting[] = [];
  /** How many of those, from the first on, the thread has. */
  #sent = 0;
  #isSending = false;

  /** @param script plain JavaScript, so that the same file serves the build and tests */
  constructor(
    private readonly script: URL,
    private readonly path: string,
    private readonly settings: WriterSettings,
  ) {}

  /** @throws SqliteThreadError */
  ask<T>(message: unknown): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ message, resolve: resolve as Waiting['resolve'], reject });
      // With whatever else is asked in this turn: a message costs more than most of what it asks for.
      if (!this.#isSending) process.nextTick(() => this.#send());
      this.#isSending = true;
    });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #send(): void {
    this.#isSending = false;
    const next = this.#waiting.slice(this.#sent, AHEAD).map(({ message }) => message);
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
