import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { CONFIG, type Config } from '../../model/config.js';
import { LOGGER } from '../../model/logger.js';
import type { RequestContext } from '../request-context.js';

/** Maximum log lines of failed requests per second, so that an outage does not fill the disk. Omitted lines are counted. */
const MAX_ERRORS_A_SECOND = 100;

const SECOND_MS = 1000;

/** Logs a line per request if `LOG_REQUESTS` is on, without the key, the parameters or the client's address. */
@Injectable()
export class RequestLog {
  #second = 0;
  #linesInSecond = 0;
  #omitted = 0;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @param durationMs time until the response was ready */
  logAnswer(context: RequestContext, operation: string, status: number, durationMs: number, units: number): void {
    const { logRequests } = this.config;
    if (logRequests === 'off' || (logRequests === 'errors' && (status < 400 || !this.#hasRoom()))) return;
    // A 5xx is not the caller's fault, so a log of warnings has it.
    this.logger[status >= 500 && context.forced === null ? 'warn' : 'info'](
      {
        request_id: context.requestId,
        key_id: context.caller?.keyId ?? null,
        operation,
        status,
        duration_ms: Math.round(durationMs * 1000) / 1000,
        quota_units: units,
        ...(this.#omitted > 0 ? { left_out: this.#omitted } : {}),
      },
      'request',
    );
    this.#omitted = 0;
  }

  #hasRoom(): boolean {
    const second = Math.floor(performance.now() / SECOND_MS);
    if (second !== this.#second) [this.#second, this.#linesInSecond] = [second, 0];
    this.#linesInSecond += 1;
    if (this.#linesInSecond <= MAX_ERRORS_A_SECOND) return true;
    this.#omitted += 1;
    return false;
  }
}
