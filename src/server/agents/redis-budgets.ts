import type { Redis, Result } from 'ioredis';
import type { Logger } from 'pino';
import { StoreUnavailableError } from '../../database/database.js';
import { connectRedis, resultInTime, waitForFirstConnection } from '../../features/quota/redis-connection.js';
import { Budgets, SESSION_IDLE_MS, MAX_SESSIONS_PER_KEY, type Budget, type CreditReservation } from './budgets.js';

/** Opens a session. If the key has too many, removes expired sessions from its list, then ends the oldest ones. */
const OPEN_SCRIPT = `
redis.call('HSET', KEYS[1], 'max', ARGV[1], 'spent', 0)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('LPUSH', KEYS[2], KEYS[1])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
if redis.call('LLEN', KEYS[2]) > tonumber(ARGV[3]) then
  for _, session in ipairs(redis.call('LRANGE', KEYS[2], 0, -1)) do
    if redis.call('EXISTS', session) == 0 then redis.call('LREM', KEYS[2], 1, session) end
  end
end
while redis.call('LLEN', KEYS[2]) > tonumber(ARGV[3]) do
  redis.call('DEL', redis.call('RPOP', KEYS[2]))
end
`;

/** Checks and spends in one step, so that concurrent calls cannot exceed the limit together. Also extends the key's list,
 * which would otherwise expire before its sessions and no longer count them. */
const SPEND_SCRIPT = `
local session = redis.call('HMGET', KEYS[1], 'max', 'spent')
if not session[1] then return {} end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
local max, spent, credits = tonumber(session[1]), tonumber(session[2]), tonumber(ARGV[1])
if credits > 0 and spent + credits > max then return {max, spent, 0} end
return {max, redis.call('HINCRBY', KEYS[1], 'spent', credits), 1}
`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    openBudget(key: string, list: string, max: number, idleMs: number, sessions: number): Result<unknown, Context>;
    spendBudget(
      key: string,
      list: string,
      credits: number,
      idleMs: number,
    ): Result<[] | [number, number, 0 | 1], Context>;
  }
}

/** Budgets that processes share. While Redis is unreachable, sessions with a limit are rejected. */
export class RedisBudgets extends Budgets {
  private constructor(private readonly redis: Redis) {
    super();
    redis.defineCommand('openBudget', { numberOfKeys: 2, lua: OPEN_SCRIPT });
    redis.defineCommand('spendBudget', { numberOfKeys: 2, lua: SPEND_SCRIPT });
  }

  static async connect(url: string, logger: Logger): Promise<RedisBudgets> {
    const redis = await connectRedis(url);
    // Debug level, because `RedisCounters` already logs a lost connection.
    redis.on('error', (err: Error) => logger.debug({ err }, 'no connection to Redis for sessions of /mcp'));
    await waitForFirstConnection(redis);
    return new RedisBudgets(redis);
  }

  async open(keyId: string, id: string, maxCredits: number): Promise<void> {
    const opened = this.redis.openBudget(
      redisKey(keyId, id),
      redisKey(keyId),
      maxCredits,
      SESSION_IDLE_MS,
      MAX_SESSIONS_PER_KEY,
    );
    await resultInTime(opened).catch(throwUnavailable);
  }

  async reserve(keyId: string, id: string, credits: number): Promise<CreditReservation | null> {
    const spending = this.redis.spendBudget(redisKey(keyId, id), redisKey(keyId), credits, SESSION_IDLE_MS);
    const [maxCredits, spentCredits, granted] = await resultInTime(spending).catch(throwUnavailable);
    if (maxCredits === undefined || spentCredits === undefined) return null;
    return { maxCredits, spentCredits, isGranted: granted === 1 };
  }

  refund(keyId: string, id: string, credits: number): Promise<Budget | null> {
    return this.reserve(keyId, id, -credits);
  }

  async close(keyId: string, id: string): Promise<void> {
    const name = redisKey(keyId, id);
    const closing = this.redis.multi().del(name).lrem(redisKey(keyId), 1, name).exec();
    await resultInTime(closing).catch(throwUnavailable);
  }

  disconnect(): void {
    this.redis.disconnect();
  }
}

const redisKey = (...parts: readonly string[]): string => ['creator-data:mcp', ...parts].join(':');

function throwUnavailable(error: unknown): never {
  throw new StoreUnavailableError(error);
}
