import type { Redis, RedisOptions } from 'ioredis';
import { ConfigError } from '../../model/config.js';
import { parseSentinelUrl } from '../../model/redis-sentinels.js';
import { TIMED_OUT, withTimeout } from '../../model/with-timeout.js';

/** Time limit of a command. A slow Redis counts as unreachable, so that rate limiting does not slow requests down. */
const COMMAND_TIMEOUT_MS = 250;

/** Time limit of a command of the client itself, which it sends when it connects. */
const OWN_COMMAND_TIMEOUT_MS = 2000;

/** Maximum delay between two attempts to reconnect. */
const MAX_RECONNECT_DELAY_MS = 1000;

const reconnectDelayMs = (attempt: number): number => Math.min(attempt * 100, MAX_RECONNECT_DELAY_MS);

/** Options that fail commands immediately while Redis is unreachable, and reconnect in the background. */
const OPTIONS: RedisOptions = {
  enableAutoPipelining: true,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 2000,
  commandTimeout: OWN_COMMAND_TIMEOUT_MS,
  retryStrategy: reconnectDelayMs,
  sentinelRetryStrategy: reconnectDelayMs,
  // READONLY means that the primary became a replica. Reconnecting asks the Sentinels for the new primary.
  reconnectOnError: ({ message }) => message.startsWith('READONLY'),
};

/** Connects to the Redis at `REDIS_URL`, directly or through Sentinels. */
export async function connectRedis(url: string, options: RedisOptions = OPTIONS): Promise<Redis> {
  // Import lazily, because most installations do not use Redis. Bundled CommonJS has only a default export.
  const { default: ioredis } = await import('ioredis');
  // In the bundle, ioredis would report this service's version: it reads the nearest package.json.
  const allOptions: RedisOptions = { ...options, disableClientInfo: true };
  const parsed = parseSentinelUrl(url);
  if (parsed === null) return disconnectOnRefusedDatabase(new ioredis.Redis(url, allOptions));
  const { sentinels, name, username, password, db } = parsed;
  const redis = new ioredis.Redis({
    ...allOptions,
    sentinels: [...sentinels],
    name,
    db,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    // Subscribes to failovers, to switch to a new primary immediately.
    failoverDetector: true,
  });
  return reconnectAfterFailover(disconnectOnRefusedDatabase(redis));
}

/** Returns the result of a command. The client's own time limit would also count the time in which this process was busy.
 * @throws Error if it fails or takes too long */
export async function resultInTime<T>(command: Promise<T>): Promise<T> {
  const result = await withTimeout(command, COMMAND_TIMEOUT_MS, TIMED_OUT);
  if (result === TIMED_OUT) throw new Error(`Redis did not answer within ${COMMAND_TIMEOUT_MS} ms`);
  return result;
}

/** Resolves when the first connection is ready or has failed. */
export async function waitForFirstConnection(redis: Redis): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const event of ['ready', 'error', 'close']) redis.once(event, () => resolve());
  });
}

/** Checks that Redis has the database that `REDIS_URL` names. Passes if Redis is unreachable. @throws ConfigError if Redis refuses it */
export async function requireDatabase(url: string): Promise<void> {
  const redis = await connectRedis(url, { ...OPTIONS, lazyConnect: true });
  // Connections start in database 0, without a SELECT.
  if ((redis.options.db ?? 0) === 0) return;
  const errors: Error[] = [];
  redis.on('error', (error: Error) => errors.push(error));
  const connection = waitForFirstConnection(redis);
  redis.connect().catch(() => undefined);
  await connection;
  redis.disconnect();
  const refusal = errors.find(isDatabaseRefused);
  if (refusal === undefined) return;
  throw new ConfigError(
    `REDIS_URL must name a database that Redis has, by its number, as in redis://host:6379/0 (${refusal.message})`,
  );
}

/** Disconnects permanently if Redis refuses SELECT. Otherwise the client would use database 0, which may belong to another program. */
function disconnectOnRefusedDatabase(redis: Redis): Redis {
  redis.on('error', (error: Error) => {
    if (isDatabaseRefused(error)) redis.disconnect();
  });
  return redis;
}

/** Connects again after a failover that Sentinel announces while the client is already connecting: ioredis ends the client then.
 * It emits this error only if nobody called `disconnect`. */
function reconnectAfterFailover(redis: Redis): Redis {
  redis.on('error', ({ message }: Error) => {
    if (message !== 'Connection is closed.') return;
    setTimeout(() => void redis.connect().catch(() => undefined), reconnectDelayMs(1)).unref();
  });
  return redis;
}

/** Error of a Redis that accepts no more connections for now, in place of the answer to the first command. */
const TOO_MANY_CLIENTS = 'ERR max number of clients';

/** Returns whether Redis refuses the database permanently: not because of the password, or while it is loading or has too many clients.
 * Unknown errors count as permanent, because the client would otherwise use database 0. */
export function isDatabaseRefused(error: Error): boolean {
  const { command } = error as Error & { readonly command?: { readonly name?: string } };
  if (command?.name !== 'select' || error.message.startsWith(TOO_MANY_CLIENTS)) return false;
  return /^(ERR|NOPERM)\b/.test(error.message);
}
