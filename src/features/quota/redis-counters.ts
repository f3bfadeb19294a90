import type { Redis, Result } from 'ioredis';
import type { Logger } from 'pino';
import { hitCount, MinuteCounters, type HitCount } from './minute-counters.js';
import type { ProcessCounters } from './process-counters.js';
import { firstConnection, isDatabaseRefused, openRedis } from './redis-connection.js';

/** How long a Redis that did not answer is left alone: one that hangs must not keep every request waiting. */
const PAUSE_MS = 2000;

/** Counts and starts the window in one step, so that several processes agree to the single request. A counter without
 * an end, whoever took it away, gets a new one: it would block for good. */
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

/** Counters that all processes share. While Redis cannot be reached, each process counts for itself. */
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
    // Every failed attempt to connect is an event; what matters is logged by `#say`.
    redis.on('error', (error: Error) => {
      this.#isRefused ||= isDatabaseRefused(error);
      this.#say(false, error);
    });
    redis.on('ready', () => {
      // Comes although the connection is being closed.
      if (this.#isRefused) return;
      this.#pausedUntil = 0;
      this.#say(true);
    });
  }

  /** Resolves when the first connection stands or has failed: requests are counted in one place from the start. */
  static async connect(url: string, fallback: ProcessCounters, logger: Logger): Promise<RedisCounters> {
    const redis = await openRedis(url);
    const counters = new RedisCounters(redis, fallback, logger);
    await firstConnection(redis);
    return counters;
  }

  get isShared(): boolean {
    return this.#available;
  }

  async increment(key: string, windowMs: number, limit: number): Promise<HitCount> {
    if (performance.now() < this.#pausedUntil) return this.fallback.hit(key, windowMs, limit);
    try {
      const [hits, remainingMs] = await this.#redis.countHit(`creator-data:minute:${key}`, windowMs);
      this.#say(true);
      return hitCount(hits, limit, remainingMs);
    } catch (error) {
      this.#pausedUntil = performance.now() + PAUSE_MS;
      this.#say(false, error);
      return this.fallback.hit(key, windowMs, limit);
    }
  }

  close(): void {
    this.#redis.disconnect();
  }

  /** Logs a change once, not every request of an outage. */
  #say(available: boolean, error?: unknown): void {
    if (available === this.#available) return;
    this.#available = available;
    if (available) this.logger.info('Redis is back: minute counters are shared again');
    else this.logger.warn({ err: error }, 'Redis cannot be reached: each process counts requests for itself');
  }
}
