import type { NestApplicationOptions } from '@nestjs/common';
import type { Logger } from 'pino';
import { NestLogger } from './nest-logger.js';

/** Options for `NestFactory`, in the service and in tests. No body parser, because bodies are read after the guards. */
export const applicationOptions = (logger: Logger): NestApplicationOptions => ({
  logger: new NestLogger(logger),
  bodyParser: false,
  abortOnError: false,
});
