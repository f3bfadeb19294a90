import type { Redis, Result } from 'ioredis';
import type { Logger } from 'pino';
import { OutageLog } from '../../model/outage-log.js';
import { hitCount, MinuteCounters, type HitCount } from './minute-counters.js';
import type { ProcessCounters } from './process-counters.js';
import { connectRedis, isDatabaseRefused, resultInTime, waitForFirstConnection } from './redis-connection.js';

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
  readonly #outage: OutageLog;
  /** Redis does not have the database, so it is never available. */
  #isRefused = false;
  /** On the clock of `performance.now()`. */
  #pausedUntil = 0;
  readonly #timer: NodeJS.Timeout;

  private constructor(
    redis: Redis,
    private readonly fallback: ProcessCounters,
    logger: Logger,
  ) {
    super();
    this.#redis = redis;
    this.#outage = new OutageLog(
      logger,
      'Redis is unreachable: each process counts requests separately',
      'Redis is reachable again: minute counters are shared',
    );
    // Only commands notice that a hanging Redis is back, and without requests there are none.
    this.#timer = setInterval(() => this.#outage.isOpen && void this.checkSharedStore(), PAUSE_MS).unref();
    redis.defineCommand('countHit', { numberOfKeys: 1, lua: HIT_SCRIPT });
    // Redis emits an error for every failed attempt to connect; only the first is logged.
    redis.on('error', (error: Error) => {
      this.#isRefused ||= isDatabaseRefused(error);
      this.#fail(error);
    });
    redis.on('ready', () => {
      // `ready` is also emitted while the connection closes.
      if (!this.#isRefused) this.#recover();
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
    return !this.#outage.isOpen;
  }

  async increment(key: string, windowMs: number, limit: number): Promise<HitCount> {
    if (performance.now() < this.#pausedUntil) return this.fallback.hit(key, windowMs, limit);
    try {
      const counting = this.#redis.countHit(`creator-data:minute:${key}`, windowMs);
      const [hits, remainingMs] = await resultInTime(counting);
      this.#outage.finish();
      this.fallback.raiseTo(key, hits, remainingMs);
      return hitCount(hits, limit, remainingMs);
    } catch (error) {
      this.#pausedUntil = performance.now() + PAUSE_MS;
      this.#fail(error);
      return this.fallback.hit(key, windowMs, limit);
    }
  }

  async checkSharedStore(): Promise<boolean> {
    try {
      await resultInTime(this.#redis.ping());
      if (!this.#isRefused) this.#recover();
    } catch (error) {
      this.#fail(error);
    }
    return this.isSharedStoreReachable;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#redis.disconnect();
  }

  #recover(): void {
    this.#pausedUntil = 0;
    this.#outage.finish();
  }

  #fail(error: unknown): void {
    if (!this.#outage.isOpen) this.#outage.fail({ err: error });
  }
}
