import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';

/** Maximum buffered lines while standard output is blocked; more are dropped. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

/** Creates the service's logger. It must never log keys or the parameters of requests. */
export function createLogger(level: NonNullable<LoggerOptions['level']>): Logger {
  return pino(
    {
      level,
      redact: ['*.headers["x-api-key"]', 'headers["x-api-key"]'],
      serializers: { err: describeError },
    },
    standardOutput(),
  );
}

/** Opens standard output. Errors do not stop the service: the terminal may be closed, or the disk full. */
function standardOutput(): DestinationStream {
  const stream = pino.destination({ dest: 1, sync: false, maxLength: MAX_BUFFERED_BYTES });
  // The next line retries. At the exit pino would retry forever, so disable its flush.
  stream.on('error', () => (stream.flushSync = () => undefined));
  return stream;
}

/** Picks safe members of an error. MySQL's driver adds the statement with its values, which come from requests. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { type, message, stack, code } = pino.stdSerializers.err(error);
  return { type, message, stack, ...(typeof code === 'string' ? { code } : {}) };
}
