import type { Redis, RedisOptions } from 'ioredis';
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
  if (named === null) return new ioredis.Redis(url, all);
  const { sentinels, name, username, password, db } = named;
  return new ioredis.Redis({
    ...all,
    sentinels: [...sentinels],
    name,
    db,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    // Told by them as soon as another one is the primary.
    failoverDetector: true,
  });
}

/** Resolves when the first connection stands, or has failed. */
export async function firstConnection(redis: Redis): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const event of ['ready', 'error', 'close']) redis.once(event, () => resolve());
  });
}
