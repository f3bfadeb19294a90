import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Context of the errors with which a start fails. The start prints them itself, in one line. */
const START_FAILURE = 'ExceptionHandler';

/** Writes Nest's messages to the service's log. Its information messages become debug messages. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }

  error(message: unknown, stack?: string, context?: string): void {
    if (context === START_FAILURE) this.logger.debug({ context, err: message }, 'the start failed');
    else this.logger.error({ context, stack }, String(message));
  }

  warn(message: unknown, context?: string): void {
    this.logger.warn({ context }, String(message));
  }
}
