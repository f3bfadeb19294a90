import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runForJson } from '../support/service/command.js';
import { runDrill, NO_FAILURES, type Fault, type Kill } from './support/drill.js';
import { OwnMariadb } from './support/own-mariadb.js';
import { OwnRedis } from './support/own-redis.js';

const TIMEOUT_MS = 120_000;

const KILLS: readonly (readonly [name: string, kill: Kill])[] = [
  ['a worker is killed', { signal: 'SIGKILL', of: 'worker' }],
  ['a worker is stopped', { signal: 'SIGTERM', of: 'worker' }],
  ['the primary is killed', { signal: 'SIGKILL', of: 'service' }],
  ['the primary is stopped', { signal: 'SIGTERM', of: 'service' }],
];

describe('a service with two workers', () => {
  let server: OwnMariadb;
  let redis: OwnRedis;
  beforeAll(async () => {
    server = await OwnMariadb.start();
    redis = await OwnRedis.start();
    await runForJson({ url: server.url }, 'migrate');
  }, TIMEOUT_MS);
  afterAll(async () => {
    redis.resume();
    await redis.stop();
    await server.remove();
  }, TIMEOUT_MS);

  const faults: Fault[] = [
    { name: '2 workers', begin: () => undefined, end: () => undefined, canStoreRecords: true },
    { name: '2 workers, MariaDB paused', begin: () => server.pause(), end: () => server.resume() },
    { name: '2 workers, Redis stopped', begin: () => redis.stop(), end: () => redis.run(), canStoreRecords: true },
  ];
  const ground = () => ({ url: server.url, settings: { WORKERS: '2', REDIS_URL: redis.url } });

  describe.each(KILLS)('of which %s', (_name, kill) => {
    it.each(faults)(
      '($name): answers within 5 s, recovers, and bills every answer',
      async (fault) => {
        expect(await runDrill(ground(), { ...fault, kill })).toEqual(NO_FAILURES);
      },
      TIMEOUT_MS,
    );
  });
});
