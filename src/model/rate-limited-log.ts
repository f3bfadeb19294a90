import type { Logger } from 'pino';

const MIN_INTERVAL_MS = 1000;

/** Logs a warning at most once per second, with the number of occurrences since the previous line. Without it an outage would
 * log a stack per request. */
export class RateLimitedLog {
  #count = 0;
  #lastLoggedAt = -Infinity;

  constructor(
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly message: string,
    private readonly now: () => number = () => performance.now(),
  ) {}

  warn(details: object): void {
    this.#count += 1;
    const now = this.now();
    if (now - this.#lastLoggedAt < MIN_INTERVAL_MS) return;
    this.logger.warn({ ...details, count: this.#count }, this.message);
    this.#lastLoggedAt = now;
    this.#count = 0;
  }
}
