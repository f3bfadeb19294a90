import type { Redis, Result } from 'ioredis';
import type { Logger } from 'pino';
import { hitCount, MinuteCounters, type HitCount } from './minute-counters.js';
import type { ProcessCounters } from './process-counters.js';
import { waitForFirstConnection, isDatabaseRefused, connectRedis } from './redis-connection.js';

/** Time for which a Redis that failed is not used, so that a hanging one does not delay every request. */
const PAUSE_MS = 2000;

/** Counts a hit and starts the window atomically, so that all processes count exactly. A counter without an expiry gets a new
 * one, because it would otherwise block for ever. */
const HIT_SCRIPT = `
local hits = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return {hits, left}
`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    countHit(key: string, windowMs: number): Result<[hits: number, remainingMs: number], Context>;
  }
}

/** Counters in Redis, shared by all processes. While Redis is unreachable, each process falls back to its own counters. */
export class RedisCounters extends MinuteCounters {
  readonly #redis: Redis;
  #available = true;
  /** Redis does not have the database, so it is never available. */
  #isRefused = false;
  /** On the clock of `performance.now()`. */
  #pausedUntil = 0;

  private constructor(
    redis: Redis,
    private readonly fallback: ProcessCounters,
    private readonly logger: Logger,
  ) {
    super();
    this.#redis = redis;
    redis.defineCommand('countHit', { numberOfKeys: 1, lua: HIT_SCRIPT });
    // Redis emits an error for every failed attempt to connect; `#setAvailable` logs only changes.
    redis.on('error', (error: Error) => {
      this.#isRefused ||= isDatabaseRefused(error);
      this.#setAvailable(false, error);
    });
    redis.on('ready', () => {
      // `ready` is also emitted while the connection closes.
      if (this.#isRefused) return;
      this.#pausedUntil = 0;
      this.#setAvailable(true);
    });
  }

  /** Connects. Resolves when the first connection is ready or has failed, so that counters are shared from the start. */
  static async connect(url: string, fallback: ProcessCounters, logger: Logger): Promise<RedisCounters> {
    const redis = await connectRedis(url);
    const counters = new RedisCounters(redis, fallback, logger);
    await waitForFirstConnection(redis);
    return counters;
  }

  get isSharedStoreReachable(): boolean {
    return this.#available;
  }

  async increment(key: string, windowMs: number, limit: number): Promise<HitCount> {
    if (performance.now() < this.#pausedUntil) return this.fallback.hit(key, windowMs, limit);
    try {
      const [hits, remainingMs] = await this.#redis.countHit(`creator-data:minute:${key}`, windowMs);
      this.#setAvailable(true);
      this.fallback.raiseTo(key, hits, remainingMs);
      return hitCount(hits, limit, remainingMs);
    } catch (error) {
      this.#pausedUntil = performance.now() + PAUSE_MS;
      this.#setAvailable(false, error);
      return this.fallback.hit(key, windowMs, limit);
    }
  }

  close(): void {
    this.#redis.disconnect();
  }

  /** Logs when Redis becomes reachable or unreachable, once per change. */
  #setAvailable(available: boolean, error?: unknown): void {
    if (available === this.#available) return;
    this.#available = available;
    if (available) this.logger.info('Redis is reachable again: minute counters are shared');
    else this.logger.warn({ err: error }, 'Redis is unreachable: each process counts requests separately');
  }
}
