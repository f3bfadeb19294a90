import type { Logger } from 'pino';
import { endBySignal, listenForStop } from './stop-request.js';

/** How long a stop waits for the step that a start is in, for example for a server that does not answer. */
const LONGEST_STEP_MS = 5000;

/** The steps of a start. A stop, even before the service serves, closes in reverse order what they have opened. */
export class Startup {
  readonly #closes: (() => unknown)[] = [];
  #stopping: AbortSignal | null = null;
  #onStop: () => unknown = () => setTimeout(() => process.exit(0), this.#closes.length === 0 ? 0 : LONGEST_STEP_MS);

  constructor(
    private readonly environment: NodeJS.ProcessEnv,
    private readonly logger: Logger,
  ) {
    // Signals that nobody listens for do not end the first process of a container.
    if (process.pid === 1) this.#listen();
  }

  get isStopping(): boolean {
    return this.#stopping?.aborted === true;
  }

  /** Waits for a step; if a stop was requested meanwhile, ends the process. @param close undoes the step */
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

  /** Ends the start. @param onStop what a stop does from now on */
  serving(onStop: () => unknown): void {
    this.#onStop = onStop;
  }

  /** Closes everything and ends the process. */
  async close(): Promise<never> {
    for (const close of this.#closes) await close();
    this.logger.info('stopped');
    // Node aborts at an exit whose terminal is gone.
    if (this.#stopping?.reason === 'SIGHUP') endBySignal('SIGHUP');
    process.exit(0);
  }

  /** Not before something is open: until then the default ends the process at once, even within a statement of SQLite. */
  #listen(): void {
    this.#stopping ??= listenForStop(this.environment, (reason) => {
      this.logger.info({ signal: reason }, 'stopping');
      void this.#onStop();
    });
  }
}
