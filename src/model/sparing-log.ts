import type { Logger } from 'pino';

const AT_MOST_EVERY_MS = 1000;

/** Warns at most once a second, and says how often it happened since: an outage must not log a stack a request. */
export class SparingLog {
  #count = 0;
  #lastAt = -Infinity;

  constructor(
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly message: string,
    private readonly now: () => number = () => performance.now(),
  ) {}

  warn(details: object): void {
    this.#count += 1;
    const now = this.now();
    if (now - this.#lastAt < AT_MOST_EVERY_MS) return;
    this.logger.warn({ ...details, count: this.#count }, this.message);
    this.#lastAt = now;
    this.#count = 0;
  }
}
