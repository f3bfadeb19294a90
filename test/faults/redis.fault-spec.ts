import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runForJson } from '../support/service/command.js';
import { createTestDatabase, type TestDatabase } from '../support/stores/test-database.js';
import { TcpProxy } from '../support/stores/tcp-proxy.js';
import { runDrill, NO_FAILURES, type Fault } from './support/drill.js';
import { OwnRedis } from './support/own-redis.js';

const TIMEOUT_MS = 120_000;

describe('a service whose Redis', () => {
  let redis: OwnRedis;
  let proxy: TcpProxy;
  let database: TestDatabase;
  beforeAll(async () => {
    redis = await OwnRedis.start();
    proxy = await TcpProxy.to(redis.url, 6379);
    database = await createTestDatabase('sqlite');
    await runForJson(database, 'migrate');
  }, TIMEOUT_MS);
  afterAll(async () => {
    redis.resume();
    await proxy.close();
    await redis.stop();
    await database.drop();
  });

  const faults: Fault[] = [
    { name: 'is stopped', begin: () => redis.stop(), end: () => redis.run(), canStoreRecords: true },
    { name: 'is paused', begin: () => redis.pause(), end: () => redis.resume(), canStoreRecords: true },
    {
      name: 'is flushed',
      begin: async () => void (await redis.command('flushall')),
      end: () => undefined,
      canStoreRecords: true,
    },
    // The first delay is within the timeout, the second one exceeds it.
    ...[100, 1000].map((ms) => ({
      name: `is slow by ${ms} ms`,
      begin: () => proxy.slow(ms),
      end: () => proxy.slow(0),
      canStoreRecords: true,
    })),
  ];

  it.each(faults)(
    '$name: answers within 5 s, recovers, and bills every answer',
    async (fault) => {
      expect(
        await runDrill(
          { url: database.url, settings: { REDIS_URL: proxy.urlOf(redis.url) } },
          { ...fault, name: `Redis ${fault.name}` },
        ),
      ).toEqual(NO_FAILURES);
    },
    TIMEOUT_MS,
  );
});
