import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { DIALECTS } from '../../support/stores/test-database.js';
import { TestService } from '../../support/service/test-service.js';
import { TcpProxy } from '../../support/stores/tcp-proxy.js';
import { until } from '../../support/until.js';

const NONE = '/platforms/live_platform/profiles/none';
const REDIS_URL = process.env.TEST_REDIS_URL ?? '';

const remainingOf = async (service: TestService, key: string) => {
  const { status, headers } = await service.get(NONE, { 'x-api-key': key });
  return [status, Number(headers['x-ratelimit-minute-remaining'])];
};

/** Returns the state of Redis in the health check. */
const redisState = async (service: TestService): Promise<[number, string]> => {
  const { status, body } = await service.get('/health');
  return [status, body.payload.checks.redis];
};

// Skipped on machines without Redis.
const describeRedis = REDIS_URL === '' ? describe.skip : describe;

describeRedis.each(DIALECTS)('two processes that share Redis (%s)', (dialect) => {
  let one: TestService;
  let two: TestService;
  beforeAll(async () => {
    one = await TestService.start(dialect, { REDIS_URL });
    two = await one.startSecond({ REDIS_URL });
  });
  afterAll(async () => {
    await two.stop();
    await one.stop();
  });

  it('count one minute: remaining counts down across both', async () => {
    const { key } = await one.newKey(3);
    expect([await remainingOf(one, key), await remainingOf(two, key), await remainingOf(one, key)]).toEqual([
      [404, 2],
      [404, 1],
      [404, 0],
    ]);
    expect([await remainingOf(two, key), await remainingOf(one, key)]).toEqual([
      [429, 0],
      [429, 0],
    ]);
  });

  it('report the same end of the minute, in UNIX seconds, at most a minute away', async () => {
    const { key } = await one.newKey();
    const resets: number[] = [];
    for (const service of [one, two, one])
      resets.push(Number((await service.get(NONE, { 'x-api-key': key })).headers['x-ratelimit-minute-reset']));
    // Redis returns the rest of the minute, which each process adds to its own clock.
    expect(Math.max(...resets) - Math.min(...resets)).toBeLessThanOrEqual(1);
    expect(Math.min(...resets) * 1000).toBeGreaterThan(Date.now());
    expect(Math.max(...resets) * 1000).toBeLessThanOrEqual(Date.now() + 61_000);
  });

  it('let exactly 200 of 300 requests pass, of which 60 are sent at a time', async () => {
    const { key } = await one.newKey(200);
    const answers: (number | undefined)[][] = [];
    for (let wave = 0; wave < 5; wave += 1) {
      // Not more at a time: a process that is busy for long takes Redis for unreachable, and counts by itself.
      const sent = Array.from({ length: 60 }, (_, nth) => remainingOf(nth % 2 === 0 ? one : two, key));
      answers.push(...(await Promise.all(sent)));
    }
    const passed = answers.filter(([status]) => status === 404).map(([, remaining]) => Number(remaining));
    expect(passed.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, left) => left));
    expect(answers.filter(([status]) => status === 429)).toHaveLength(100);
  });

  it('apply a changed allowance from the next request on', async () => {
    const { id, key } = await one.newKey(1);
    expect([await remainingOf(one, key), await remainingOf(two, key)]).toEqual([
      [404, 0],
      [429, 0],
    ]);
    await one.keys.setRateLimit(id, 5);
    expect(await remainingOf(two, key)).toEqual([404, 2]);
  });

  it('restore the expiry of a counter that lost it', async () => {
    const { id, key } = await one.newKey(1);
    await remainingOf(one, key);
    const redis = new Redis(REDIS_URL);
    try {
      expect(await redis.persist(`creator-data:minute:${id}`)).toBe(1);
      const { status, headers } = await two.get(NONE, { 'x-api-key': key });
      const wait = Number(headers['retry-after']);
      expect([status, wait > 0 && wait <= 60]).toEqual([429, true]);
      const left = await redis.pttl(`creator-data:minute:${id}`);
      expect(left > 0 && left <= 60_000).toBe(true);
    } finally {
      redis.disconnect();
    }
  });

  it('report Redis as up in the health check', async () => {
    expect(await redisState(one)).toEqual([200, 'up']);
  });
});

describeRedis('two processes behind a proxy that share Redis', () => {
  const settings = { REDIS_URL, TRUST_PROXY: '1' };
  let one: TestService;
  let two: TestService;
  beforeAll(async () => {
    one = await TestService.start('sqlite', settings);
    two = await one.startSecond(settings);
  });
  afterAll(async () => {
    await two.stop();
    await one.stop();
  });

  // A new network, because Redis remembers it for a minute, also for a later run of this test.
  const aNetwork = () => `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}`;
  const addressIn = (network: string) => `${network}::${randomBytes(2).toString('hex')}`;
  const anAddress = () => addressIn(aNetwork());
  const statusOfWrongKey = async (service: TestService, address: string) =>
    (await service.get(NONE, { 'x-api-key': 'wrong', 'x-forwarded-for': address })).status;

  it('answer 403 to 30 failed keys of an address in total, and 429 to further ones', async () => {
    const address = anAddress();
    const statuses: number[] = [];
    for (let nth = 0; nth < 34; nth += 1) statuses.push(await statusOfWrongKey(nth % 2 === 0 ? one : two, address));
    expect(statuses).toEqual([...Array<number>(30).fill(403), ...Array<number>(4).fill(429)]);
    expect(await statusOfWrongKey(two, anAddress())).toBe(403);
  });

  it('do so for all addresses of an IPv6 network of a caller, a /64', async () => {
    const network = aNetwork();
    const services = Array.from({ length: 60 }, (_, nth) => (nth % 2 === 0 ? one : two));
    const statuses = await Promise.all(services.map((service) => statusOfWrongKey(service, addressIn(network))));
    expect(statuses.filter((status) => status === 403)).toHaveLength(30);
  });

  it('answer 403 to exactly 30 of many concurrent failed keys', async () => {
    const address = anAddress();
    const services = Array.from({ length: 60 }, (_, nth) => (nth % 2 === 0 ? one : two));
    const statuses = await Promise.all(services.map((service) => statusOfWrongKey(service, address)));
    expect(statuses.filter((status) => status === 403)).toHaveLength(30);
  });
});

describeRedis.each(DIALECTS)('a process that loses its Redis (%s)', (dialect) => {
  let proxy: TcpProxy;
  let service: TestService;
  beforeAll(async () => {
    proxy = await TcpProxy.to(REDIS_URL, 6379);
    service = await TestService.start(dialect, { REDIS_URL: proxy.urlOf(REDIS_URL) });
  });
  afterAll(async () => {
    await service.stop();
    await proxy.close();
  });

  it.each([
    // Redis still has the first request; requests counted by the process meanwhile are not added.
    ['is cut off', () => proxy.cut(), [404, 1]],
    // Redis also counts one request that was sent while it hung; the later ones did not wait for it.
    ['hangs', async () => proxy.hang(), [404, 0]],
  ])(
    'goes on from the last shared count while Redis %s, reports redis down, and reconnects by itself',
    async (_, beginOutage, afterwards) => {
      const { key } = await service.newKey(3);
      expect(await remainingOf(service, key)).toEqual([404, 2]);

      await beginOutage();
      const own = [];
      for (let sent = 0; sent < 4; sent += 1) own.push(await remainingOf(service, key));
      expect(own).toEqual([
        [404, 1],
        [404, 0],
        [429, 0],
        [429, 0],
      ]);
      expect(await redisState(service)).toEqual([200, 'down']);

      await proxy.restore();
      await until('Redis is up again', async () => {
        await service.get(NONE);
        return (await redisState(service))[1] === 'up';
      });
      expect(await remainingOf(service, key)).toEqual(afterwards);
    },
  );
});

describeRedis('a process that starts without its Redis', () => {
  it('falls back to its own counters, and uses Redis as soon as it is available', async () => {
    const proxy = await TcpProxy.to(REDIS_URL, 6379);
    await proxy.cut();
    const service = await TestService.start('sqlite', { REDIS_URL: proxy.urlOf(REDIS_URL) });
    try {
      const { key } = await service.newKey(2);
      expect([await remainingOf(service, key), await redisState(service)]).toEqual([
        [404, 1],
        [200, 'down'],
      ]);
      await proxy.restore();
      await until('Redis is up', async () => (await redisState(service))[1] === 'up');
      expect(await remainingOf(service, key)).toEqual([404, 1]);
    } finally {
      await service.stop();
      await proxy.close();
    }
  });

  it('does not count in another database than the one it was told, which turns out to be missing', async () => {
    const proxy = await TcpProxy.to(REDIS_URL, 6379);
    await proxy.cut();
    const redisUrl = `${proxy.urlOf(REDIS_URL).replace(/\/\d*$/, '')}/99`;
    const service = await TestService.start('sqlite', { REDIS_URL: redisUrl });
    const redis = new Redis(REDIS_URL);
    try {
      const { id, key } = await service.newKey(100);
      await proxy.restore();
      // Longer than a lost Redis is left alone, and than the next attempt to connect takes.
      for (const end = performance.now() + 4000; performance.now() < end; await setTimeout(200)) {
        expect((await remainingOf(service, key))[0]).toBe(404);
        expect(await redisState(service)).toEqual([200, 'down']);
      }
      expect(await redis.exists(`creator-data:minute:${id}`)).toBe(0);
    } finally {
      redis.disconnect();
      await service.stop();
      await proxy.close();
    }
  });
});
