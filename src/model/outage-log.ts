import type { Logger } from 'pino';
import { RateLimitedLog } from './rate-limited-log.js';

/** Interval at which an outage that goes on is logged again. */
const REPEAT_MS = 60_000;

/** Logs an outage of a store: its first failure immediately, the others at most once a minute, and its end, with its length. */
export class OutageLog {
  readonly #failures: RateLimitedLog;
  #since: number | null = null;
  #isLogged = false;

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
    // Outages that follow each other quickly are logged at most once per second.
    if (this.#failures.warn(details, this.#isLogged ? REPEAT_MS : undefined)) this.#isLogged = true;
  }

  /** Ends the outage; does nothing if none is open. @param details what waits, for the log */
  finish(details: object = {}): void {
    if (this.#since === null) return;
    this.logger.info({ down_ms: Math.round(this.now() - this.#since), ...details }, this.end);
    this.#since = null;
    this.#isLogged = false;
  }
}
