import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { CONFIG, type Config } from '../../model/config.js';
import { LOGGER } from '../../model/logger.js';
import type { RequestContext } from '../request-context.js';

/** Lines of failed requests a second: an outage must not fill the disk. What is beyond is counted. */
const MAX_ERRORS_A_SECOND = 100;

const SECOND_MS = 1000;

/** A line a request, where `LOG_REQUESTS` asks for it: no key, nothing of what was asked for, no address. */
@Injectable()
export class RequestLog {
  #second = 0;
  #inSecond = 0;
  #left = 0;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @param operation what was asked for, such as `profiles.get` @param durationMs until the answer was ready */
  answered(context: RequestContext, operation: string, status: number, durationMs: number, units: number): void {
    const { logRequests } = this.config;
    if (logRequests === 'off' || (logRequests === 'errors' && (status < 400 || !this.#hasRoom()))) return;
    this.logger.info(
      {
        request_id: context.requestId,
        key_id: context.caller?.keyId ?? null,
        operation,
        status,
        duration_ms: Math.round(durationMs * 1000) / 1000,
        quota_units: units,
        ...(this.#left > 0 ? { left_out: this.#left } : {}),
      },
      'request',
    );
    this.#left = 0;
  }

  #hasRoom(): boolean {
    const second = Math.floor(performance.now() / SECOND_MS);
    if (second !== this.#second) [this.#second, this.#inSecond] = [second, 0];
    this.#inSecond += 1;
    if (this.#inSecond <= MAX_ERRORS_A_SECOND) return true;
    this.#left += 1;
    return false;
  }
}
