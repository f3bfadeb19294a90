import { openRedis } from '../../features/quota/redis-connection.js';
import type { Config } from '../../model/config.js';
import { bad, good, type Check } from './check.js';
import { checkClock } from './check-clock.js';

const PATIENCE_MS = 3000;

/** Checks the shared minute counters, if there are any. */
export async function checkRedis({ redisUrl, workers }: Config): Promise<Check[]> {
  if (redisUrl === null) {
    return [good('redis', `not used: ${workers} process counts for itself; set REDIS_URL before a second one serves`)];
  }
  const host = hostsOf(redisUrl);
  const redis = await openRedis(redisUrl, {
    lazyConnect: true,
    connectTimeout: PATIENCE_MS,
    commandTimeout: PATIENCE_MS,
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
    const why = (cause ?? (error as Error)) as NodeJS.ErrnoException;
    const reason = why.code === 'ECONNREFUSED' ? 'nothing listens there' : why.message;
    return [bad('redis', `${host} cannot be used (${reason}): start it, or correct REDIS_URL`)];
  } finally {
    redis.disconnect();
  }
}

/** Without user and password. */
const hostsOf = (url: string): string => url.replace(/^[^/]*\/\/(?:[^/]*@)?/, '').replace(/\/.*/, '');
