import type { Logger } from 'pino';
import { OutageLog } from '../model/outage-log.js';
import { TIMED_OUT, withTimeout } from '../model/with-timeout.js';
import type { Database } from './database.js';

/** Time limit of a check; a database that takes longer counts as down. */
const CHECK_TIMEOUT_MS = 2000;

/** Interval of checks in an outage. The outage ends with a check that succeeds this long after the last failure, because a
 * busy database may answer a check while it fails requests. */
const RECHECK_MS = 1000;

/** Health of the database. Logs the beginning and the end of an outage, also without requests. */
export class DatabaseHealth {
  readonly #outage: OutageLog;
  #failedAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(
    private readonly database: Database,
    logger: Pick<Logger, 'warn' | 'info'>,
  ) {
    this.#outage = new OutageLog(logger, 'store unavailable', 'the database is available again');
  }

  /** Checks whether the database can be read. */
  async isUp(): Promise<boolean> {
    try {
      if ((await withTimeout(this.database.ping(), CHECK_TIMEOUT_MS, TIMED_OUT)) === TIMED_OUT)
        throw new Error(`the database did not answer within ${CHECK_TIMEOUT_MS} ms`);
    } catch (error) {
      if (!this.#outage.isOpen) this.recordFailure({ err: error });
      return false;
    }
    if (performance.now() - this.#failedAt >= RECHECK_MS) this.#outage.finish();
    return true;
  }

  /** Records that a request failed because of the database. @param details for the log */
  recordFailure(details: object): void {
    this.#failedAt = performance.now();
    this.#outage.fail(details);
    this.#timer ??= this.#recheckLater();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #recheckLater(): NodeJS.Timeout {
    return setTimeout(() => {
      void this.isUp().then(() => {
        this.#timer = this.#outage.isOpen && !this.#isClosed ? this.#recheckLater() : undefined;
      });
    }, RECHECK_MS).unref();
  }
}
