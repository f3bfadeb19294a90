import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { CONNECTION_ERRORS } from '../model/connection-errors.js';

/** Maximum buffered lines while standard output is blocked; more are dropped. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

/** Creates the service's logger. It must never log keys or the parameters of requests. */
export function createLogger(level: NonNullable<LoggerOptions['level']>): Logger {
  return pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
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

/** Picks safe members of an error. MySQL's driver adds the statement with its values, which come from requests. A cause that
 * only repeats the message of its error is left out. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const causes = [...causesOf(error)];
  const code = causes.map((cause) => Reflect.get(cause, 'code') as unknown).find((each) => typeof each === 'string');
  const distinct = causes.filter((cause, index) => index === 0 || messageOf(cause) !== messageOf(causes[index - 1]));
  return {
    type: pino.stdSerializers.err(error).type,
    message: distinct.map(messageOf).join(': '),
    // A server that cannot be reached is no fault of the code.
    ...(isConnectionError(code) ? {} : { stack: distinct.map(({ stack }) => stack).join('\ncaused by: ') }),
    ...(code === undefined ? {} : { code }),
  };
}

const isConnectionError = (code: unknown): boolean => typeof code === 'string' && code in CONNECTION_ERRORS;

/** Yields an error and its causes, outermost first. */
function* causesOf(error: Error): Generator<Error> {
  const seen = new Set<unknown>();
  for (let cause: unknown = error; cause instanceof Error && !seen.has(cause); cause = cause.cause) {
    seen.add(cause);
    yield cause;
  }
}

/** Returns the message of an error. Node's error of a name with several addresses has one per address, and none itself. */
function messageOf(error: Error | undefined): string {
  if (error instanceof AggregateError && error.message === '')
    return error.errors.map((each) => messageOf(each as Error)).join('; ');
  return error?.message ?? '';
}
