import type { Redis, RedisOptions } from 'ioredis';
import { ConfigError } from '../../model/config.js';
import { sentinelsOf } from '../../model/redis-sentinels.js';

/** An answer that takes longer counts as none: the limit must not slow the service down. */
const COMMAND_TIMEOUT_MS = 250;

/** How often a lost Redis is tried again, at most. */
const RECONNECT_MS = 1000;

const retryMs = (attempt: number): number => Math.min(attempt * 100, RECONNECT_MS);

/** A lost Redis fails at once and is tried again meanwhile. */
const OPTIONS: RedisOptions = {
  enableAutoPipelining: true,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 2000,
  commandTimeout: COMMAND_TIMEOUT_MS,
  retryStrategy: retryMs,
  sentinelRetryStrategy: retryMs,
  // A former primary that came back as a replica: its Sentinels know the new one.
  reconnectOnError: ({ message }) => message.startsWith('READONLY'),
};

/** Connects to what `REDIS_URL` names, directly or by its Sentinels. */
export async function openRedis(url: string, options: RedisOptions = OPTIONS): Promise<Redis> {
  // Loaded only for Redis: it costs memory and start time. Bundled CommonJS has only a default export here.
  const { default: ioredis } = await import('ioredis');
  // It reads the version from a package.json beside it; in the bundle that is another package's.
  const all: RedisOptions = { ...options, disableClientInfo: true };
  const named = sentinelsOf(url);
  if (named === null) return leaveWrongDatabase(new ioredis.Redis(url, all));
  const { sentinels, name, username, password, db } = named;
  const redis = new ioredis.Redis({
    ...all,
    sentinels: [...sentinels],
    name,
    db,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    // Told by them as soon as another one is the primary.
    failoverDetector: true,
  });
  return leaveWrongDatabase(redis);
}

/** Resolves when the first connection stands, or has failed. */
export async function firstConnection(redis: Redis): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const event of ['ready', 'error', 'close']) redis.once(event, () => resolve());
  });
}

/** Checks the database that `REDIS_URL` names; of a Redis that is down nothing is known. @throws ConfigError if Redis refuses it */
export async function requireDatabase(url: string): Promise<void> {
  const redis = await openRedis(url, { ...OPTIONS, lazyConnect: true });
  // Each connection begins there.
  if ((redis.options.db ?? 0) === 0) return;
  const errors: Error[] = [];
  redis.on('error', (error: Error) => errors.push(error));
  const connection = firstConnection(redis);
  redis.connect().catch(() => undefined);
  await connection;
  redis.disconnect();
  const refusal = errors.find(isDatabaseRefused);
  if (refusal === undefined) return;
  throw new ConfigError(
    `REDIS_URL must name a database that Redis has, by its number, as in redis://host:6379/0 (${refusal.message})`,
  );
}

/** Disconnects for good when SELECT is refused: the client would go on in database 0, which is somebody else's. */
function leaveWrongDatabase(redis: Redis): Redis {
  redis.on('error', (error: Error) => {
    if (isDatabaseRefused(error)) redis.disconnect();
  });
  return redis;
}

/** Whether SELECT failed, and would fail again; not for the password, or because Redis is still loading. */
export function isDatabaseRefused(error: Error): boolean {
  const { command } = error as Error & { readonly command?: { readonly name?: string } };
  return command?.name === 'select' && /^(ERR|NOPERM)\b/.test(error.message);
}
