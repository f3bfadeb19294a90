import { pino, type Logger, type LoggerOptions } from 'pino';

/** The service's log: never a key, nor what callers ask for. */
export function createLogger(level: NonNullable<LoggerOptions['level']>): Logger {
  return pino({
    level,
    redact: ['*.headers["x-api-key"]', 'headers["x-api-key"]'],
    serializers: { err: describeError },
  });
}

/** What tells a fault. MySQL's driver adds the statement with its values, which are what a caller asked for. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { type, message, stack, code } = pino.stdSerializers.err(error);
  return { type, message, stack, ...(typeof code === 'string' ? { code } : {}) };
}
