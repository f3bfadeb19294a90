import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';

/** Lines kept while standard output takes none; more are dropped. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

/** The service's log: never a key, nor what callers ask for. */
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

/** Standard output, without which the service goes on: its terminal may be closed, or the disk below it full. */
function standardOutput(): DestinationStream {
  const stream = pino.destination({ dest: 1, sync: false, maxLength: MAX_BUFFERED_BYTES });
  // The next line tries again. At the exit, though, pino would try for ever.
  stream.on('error', () => (stream.flushSync = () => undefined));
  return stream;
}

/** What tells a fault. MySQL's driver adds the statement with its values, which are what a caller asked for. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { type, message, stack, code } = pino.stdSerializers.err(error);
  return { type, message, stack, ...(typeof code === 'string' ? { code } : {}) };
}
