import type { Logger } from 'pino';
import { withTimeout } from '../model/with-timeout.js';
import { endBySignal, listenForStop } from './stop-request.js';

/** Maximum time that a stop waits for the current step of a start, such as connecting to a server that does not respond. */
const STEP_TIMEOUT_MS = 5000;

/** Runs the steps of a start. A stop, even during the start, closes in reverse order what they opened. */
export class Startup {
  readonly #closes: (() => unknown)[] = [];
  #stopping: AbortSignal | null = null;
  #onStop: () => unknown = () => setTimeout(() => process.exit(0), this.#closes.length === 0 ? 0 : STEP_TIMEOUT_MS);

  constructor(
    private readonly environment: NodeJS.ProcessEnv,
    private readonly logger: Logger,
  ) {
    // PID 1 of a container ignores signals without a listener.
    if (process.pid === 1) this.#listen();
  }

  get isStopping(): boolean {
    return this.#stopping?.aborted === true;
  }

  /** Waits for a step. Ends the process if a stop was requested meanwhile. @param close undoes the step */
  async step<T>(step: Promise<T>, close?: (opened: T) => unknown): Promise<T> {
    const opened = await step.catch((error: unknown) => {
      if (this.isStopping) return this.close();
      throw error;
    });
    if (close !== undefined) {
      this.#closes.unshift(() => close(opened));
      this.#listen();
    }
    if (this.isStopping) await this.close();
    return opened;
  }

  /** Ends the start. @param onStop called by a stop from now on */
  finish(onStop: () => unknown): void {
    this.#onStop = onStop;
  }

  /** Undoes the steps of a start that failed, so that the next start does not take this process for one that was killed. */
  async undo(): Promise<void> {
    await withTimeout(this.#closeAll(), STEP_TIMEOUT_MS, undefined).catch((err: unknown) =>
      this.logger.error({ err }, 'the failed start left something open'),
    );
  }

  /** Closes everything and ends the process. */
  async close(): Promise<never> {
    await this.#closeAll();
    this.logger.info('stopped');
    // `exit` would abort, because Node cannot reset a terminal that is gone.
    if (this.#stopping?.reason === 'SIGHUP') endBySignal('SIGHUP');
    process.exit(0);
  }

  async #closeAll(): Promise<void> {
    for (const close of this.#closes) await close();
  }

  /** Listens for a stop. Called when something is open: until then the signal's default action ends the process at once,
   * even during a statement of SQLite. */
  #listen(): void {
    this.#stopping ??= listenForStop(this.environment, (reason) => {
      this.logger.info({ signal: reason }, 'stopping');
      void this.#onStop();
    });
  }
}
