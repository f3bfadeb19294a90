import type { Logger } from 'pino';
import { RateLimitedLog } from './rate-limited-log.js';

/** Logs an outage of a store: its failures at most once per second, and its end, once, with its length. */
export class OutageLog {
  readonly #failures: RateLimitedLog;
  #since: number | null = null;

  /** @param failure message of a failure @param end message when the store is back */
  constructor(
    private readonly logger: Pick<Logger, 'warn' | 'info'>,
    failure: string,
    private readonly end: string,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#failures = new RateLimitedLog(logger, failure, now);
  }

  get isOpen(): boolean {
    return this.#since !== null;
  }

  /** Logs a failure, which begins the outage unless one is open. */
  fail(details: object): void {
    this.#since ??= this.now();
    this.#failures.warn(details);
  }

  /** Ends the outage; does nothing if none is open. @param details what waits, for the log */
  finish(details: object = {}): void {
    if (this.#since === null) return;
    this.logger.info({ down_ms: Math.round(this.now() - this.#since), ...details }, this.end);
    this.#since = null;
  }
}
