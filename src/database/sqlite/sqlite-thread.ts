import { Worker } from 'node:worker_threads';
import { TIMED_OUT, withTimeout } from '../../model/with-timeout.js';
import { inFile } from './failed-file.js';

/** Result of a call, as the thread posts it. */
type ThreadResult<T> = { readonly result: T } | { readonly error: { readonly message: string; readonly code: string } };

/** A statement, as `StatementRunner` takes it. */
export interface ThreadStatement {
  readonly kind: string;
  readonly sql: string;
  readonly rows: readonly (readonly unknown[])[];
}

/** Number of rows from which a statement takes long enough to be sent at once, and answered on its own. */
const LARGE_ROWS = 128;

interface PendingCall {
  readonly message: ThreadStatement;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

const THREAD_ENDED = 'THREAD_ENDED';

/** Time for a thread to finish its statement when it closes. */
const CLOSE_TIMEOUT_MS = 5000;

/** Settings of a thread and its connection. */
export interface ThreadSettings {
  /** Maximum statements in flight: enough to keep the thread busy, few enough to bound the memory of their values and rows. */
  readonly maxInFlight: number;
  /** Maximum size of V8's young generation in this thread, in MiB. V8's default lets tens of megabytes of garbage accumulate. */
  readonly youngGenerationMib: number;
  /** Maximum wait of a transaction for another process's, in milliseconds. */
  readonly busyTimeoutMs: number;
  /** Polling interval for the write lock, in milliseconds; null uses SQLite's busy handler. */
  readonly lockPollMs: number | null;
  readonly pragmas: readonly string[];
}

const isLarge = ({ rows }: ThreadStatement): boolean => rows.length >= LARGE_ROWS;

/** Error of a call, with SQLite's result code or `THREAD_ENDED`. */
export class SqliteThreadError extends Error {
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
}

/** Worker thread with its own connection, started by the first call. It answers calls in order. If it dies, pending calls are
 * rejected, and the next call starts a new thread. */
export class SqliteThread {
  #worker: Worker | null = null;
  readonly #pending: PendingCall[] = [];
  /** Number of pending calls that were posted to the thread; they are the first ones. */
  #inFlight = 0;
  #isFlushScheduled = false;
  /** Its number is 1 once the thread must run no further statement. Shared memory, because the thread reads a message only
   * after all statements of the one before. */
  readonly #closing = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

  /** @param script file of the thread, in plain JavaScript so that builds and tests run the same one */
  constructor(
    private readonly script: URL,
    private readonly path: string,
    private readonly settings: ThreadSettings,
  ) {}

  /** Runs a statement on the thread. @throws SqliteThreadError */
  call<T>(message: ThreadStatement): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#pending.push({ message, resolve: resolve as PendingCall['resolve'], reject });
      // Statements of one tick share a message, which costs more than most statements.
      if (isLarge(message)) this.#flush();
      else if (!this.#isFlushScheduled) process.nextTick(() => this.#flush());
      this.#isFlushScheduled ||= !isLarge(message);
    });
  }

  /** Ends the thread after the statement that it runs; rejects the others. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === null) return;
    Atomics.store(this.#closing, 0, 1);
    const exit = new Promise((resolve) => worker.once('exit', resolve));
    // Terminating a thread in the middle of a statement would abort the whole process.
    worker.postMessage(null);
    if ((await withTimeout(exit, CLOSE_TIMEOUT_MS, TIMED_OUT)) === TIMED_OUT) await worker.terminate();
  }

  #flush(): void {
    this.#isFlushScheduled = false;
    const messages = this.#pending.slice(this.#inFlight, this.settings.maxInFlight).map(({ message }) => message);
    if (messages.length === 0) return;
    this.#worker ??= this.#start();
    for (let start = 0; start < messages.length;) {
      const large = messages.findIndex((message, index) => index >= start && isLarge(message));
      // A large statement alone, so that those before it are answered first.
      const end = large === -1 ? messages.length : Math.max(large, start + 1);
      this.#worker.postMessage(messages.slice(start, end));
      start = end;
    }
    this.#inFlight += messages.length;
  }

  #start(): Worker {
    const resourceLimits = { maxYoungGenerationSizeMb: this.settings.youngGenerationMib };
    const worker = new Worker(this.script, {
      workerData: { path: this.path, closing: this.#closing, ...this.settings },
      resourceLimits,
    });
    const handleEnd = (error: SqliteThreadError) => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      this.#inFlight = 0;
      for (const call of this.#pending.splice(0)) call.reject(error);
    };
    worker.on('message', (results: readonly ThreadResult<unknown>[]) => {
      if (this.#worker !== worker) return;
      this.#inFlight -= results.length;
      for (const result of results) {
        const call = this.#pending.shift();
        if ('result' in result) call?.resolve(result.result);
        else call?.reject(inFile(new SqliteThreadError(result.error.message, result.error.code), this.path));
      }
      this.#flush();
    });
    worker.on('error', ({ message }) => handleEnd(new SqliteThreadError(message, THREAD_ENDED)));
    worker.on('exit', () =>
      handleEnd(new SqliteThreadError('a thread of the embedded database has ended', THREAD_ENDED)),
    );
    return worker;
  }
}
