import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectRedis } from '../../../src/features/quota/redis-connection.js';
import { TestService } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';
import { Cluster } from '../../faults/support/cluster.js';
import { runBuiltCommand } from '../../support/process/processes.js';

const NONE = '/platforms/live_platform/profiles/none';

const HAS_REDIS = spawnSync('redis-server', ['--version']).error === undefined;
const describeRedis = HAS_REDIS ? describe : describe.skip;

describeRedis('two processes that share a Redis by its Sentinels', () => {
  let cluster: Cluster;
  let one: TestService;
  let two: TestService;
  beforeAll(async () => {
    cluster = await Cluster.start(['redis-1', 'redis-2', 'sentinel-1', 'sentinel-2', 'sentinel-3']);
    one = await TestService.start('sqlite', { REDIS_URL: cluster.redisUrl });
    two = await one.startSecond({ REDIS_URL: cluster.redisUrl });
    await until('both have found the Redis', bothSay('up'));
  });
  afterAll(async () => {
    await two.stop();
    await one.stop();
    await cluster.remove();
  });

  const statuses = async (key: string, requests: number) => {
    const answers = await Promise.all(
      Array.from({ length: requests }, (_, nth) => (nth % 2 === 0 ? one : two).get(NONE, { 'x-api-key': key })),
    );
    return [404, 429].map((status) => answers.filter((answer) => answer.status === status).length);
  };
  const redisOf = async (service: TestService) => (await service.get('/health')).body.payload.checks.redis;
  const bothSay = (state: string) => async () => (await redisOf(one)) === state && (await redisOf(two)) === state;

  it('count one minute', async () => {
    const { key } = await one.newKey(20);
    expect(await statuses(key, 30)).toEqual([20, 10]);
  });

  it('are both connected to a Redis that doctor finds', async () => {
    const { url, folder } = one.testDatabase;
    const settings = { DATABASE_URL: url, DATA_DIR: folder, REDIS_URL: cluster.redisUrl };
    const { checks } = JSON.parse((await runBuiltCommand(['doctor', '--json'], settings)).out);
    const redis = checks.find(({ name }: { name: string }) => name === 'redis');
    expect(redis.message).toMatch(/^(127\.0\.0\.1:\d+,?){3}, answers in [\d.]+ ms$/);
  });

  it('connect again after a failover that is announced while they connect', async () => {
    const redis = await connectRedis(cluster.redisUrl);
    redis.on('error', () => undefined);
    try {
      const becomes = (status: string) => new Promise<void>((resolve) => redis.once(status, () => resolve()));
      await becomes('ready');
      // What the failover detector of ioredis does when it hears of another primary.
      const { connector } = redis as unknown as { readonly connector: { disconnect(): void } };
      redis.once('connecting', () => connector.disconnect());
      const ended = becomes('end');
      redis.disconnect(true);
      await ended;
      await becomes('ready');
      expect(await redis.ping()).toBe('PONG');
    } finally {
      redis.disconnect();
    }
  });

  it('share the minute again through the other Redis when the first is killed', async () => {
    const { key } = await one.newKey(20);
    await cluster.stopMember('redis-1', 'SIGKILL');
    expect((await one.get(NONE, { 'x-api-key': key })).status).toBe(404);
    await until('both have lost Redis or found the other one', bothSay('up'));
    await until('minutes are shared again', async () => {
      const { key: next } = await one.newKey(20);
      return String(await statuses(next, 30)) === '20,10';
    });
  });
});
