import type { Logger } from 'pino';

const MIN_INTERVAL_MS = 1000;

/** Logs a warning at most once per second by default, with the number of occurrences since the previous line. Without it an outage would
 * log a stack per request. */
export class RateLimitedLog {
  #count = 0;
  #lastLoggedAt = -Infinity;

  constructor(
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly message: string,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @returns whether it was logged */
  warn(details: object, minIntervalMs = MIN_INTERVAL_MS): boolean {
    this.#count += 1;
    const now = this.now();
    if (now - this.#lastLoggedAt < minIntervalMs) return false;
    this.logger.warn({ ...details, count: this.#count }, this.message);
    this.#lastLoggedAt = now;
    this.#count = 0;
    return true;
  }
}
