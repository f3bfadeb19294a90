import { connectRedis } from '../../features/quota/redis-connection.js';
import type { Config } from '../../model/config.js';
import { bad, good, type Check } from './check.js';
import { checkClock } from './check-clock.js';

const TIMEOUT_MS = 3000;

/** Checks Redis, which holds the shared rate-limit counters. */
export async function checkRedis({ redisUrl, workers }: Config): Promise<Check[]> {
  if (redisUrl === null) {
    return [
      good('redis', `not used: ${workers} process counts in its own memory; set REDIS_URL before you run a second one`),
    ];
  }
  const host = hostsOf(redisUrl);
  const redis = await connectRedis(redisUrl, {
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    retryStrategy: () => null,
    sentinelRetryStrategy: () => null,
  });
  let cause: Error | null = null;
  redis.on('error', (error: Error) => (cause = error));
  try {
    await redis.connect();
    const startedAt = performance.now();
    await redis.ping();
    const tookMs = performance.now() - startedAt;
    const clock = await checkClock('Redis', async () => {
      const [seconds, microseconds] = await redis.time();
      return Number(seconds) * 1000 + Number(microseconds) / 1000;
    });
    return [good('redis', `${host}, answers in ${tookMs.toFixed(1)} ms`), clock];
  } catch (error) {
    const failure = (cause ?? (error as Error)) as NodeJS.ErrnoException;
    const reason = failure.code === 'ECONNREFUSED' ? 'nothing listens there' : failure.message;
    return [bad('redis', `${host} cannot be used (${reason}): start it, or correct REDIS_URL`)];
  } finally {
    redis.disconnect();
  }
}

/** Returns the hosts of a URL, without user and password. */
const hostsOf = (url: string): string => url.replace(/^[^/]*\/\/(?:[^/]*@)?/, '').replace(/\/.*/, '');
