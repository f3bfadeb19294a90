import { describe, expect, it } from '@jest/globals';
import { httpRequest } from '../../support/http/request.js';
import { ServiceProcess } from '../../support/process/processes.js';
import { runForJson } from '../../support/service/command.js';
import { ALL_DAYS } from '../../support/service/usage.js';
import { createTestDatabase } from '../../support/stores/test-database.js';
import { until } from '../../support/until.js';

const REDIS_URL = process.env.TEST_REDIS_URL ?? '';
const REQUESTS = 40;
const ALLOWED = 25;

if (REDIS_URL !== '') {
  describe('a test key at a service with two workers', () => {
    it('searches the sample data at both', async () => {
      const database = await createTestDatabase('sqlite');
      try {
        await runForJson(database, 'migrate');
        const { key } = await runForJson(database, 'keys', 'create', '--test', '--name', 'a test');
        const service = await ServiceProcess.start({ DATABASE_URL: database.url, REDIS_URL, WORKERS: '2' });
        await until('both serve', () => service.process.out.match(/"serving"/g)?.length === 2);
        const search = () =>
          httpRequest(service.origin, '/platforms/live_platform/profiles/search', {
            method: 'POST',
            body: '{}',
            headers: { 'x-api-key': key, 'content-type': 'application/json' },
          });
        // While the index is built, searches are answered with 503.
        await until('an index is there', async () => (await search()).status === 200);
        const answers = await Promise.all(Array.from({ length: 20 }, search));
        expect(answers.map(({ status }) => status)).toEqual(Array<number>(20).fill(200));
        expect((await service.stop()).status).toBe(0);
      } finally {
        await database.drop();
      }
    });

    it('gets the sample data from both, under one minute allowance, with every request recorded', async () => {
      const database = await createTestDatabase('sqlite');
      try {
        const create = ['keys', 'create', '--test', '--name', 'a test', '--rate-limit', String(ALLOWED)];
        await runForJson(database, 'migrate');
        const { id, key } = await runForJson(database, ...create);
        const service = await ServiceProcess.start({ DATABASE_URL: database.url, REDIS_URL, WORKERS: '2' });
        await until('both serve', () => service.process.out.match(/"serving"/g)?.length === 2);
        // A new connection each, which the primary deals out to the workers in turn.
        const answers = await Promise.all(
          Array.from({ length: REQUESTS }, () =>
            httpRequest(service.origin, '/platforms/live_platform/profiles/10001', { headers: { 'x-api-key': key } }),
          ),
        );
        const found = answers.filter(({ status }) => status === 200);
        expect(found).toHaveLength(ALLOWED);
        expect(new Set(found.map(({ body }) => JSON.stringify(body.payload))).size).toBe(1);
        expect(answers.filter(({ status }) => status === 429)).toHaveLength(REQUESTS - ALLOWED);
        expect(new Set(answers.map(({ headers }) => headers['x-test-mode']))).toEqual(new Set(['true']));
        expect((await service.stop()).status).toBe(0);
        const { totals } = await runForJson(database, 'usage', 'summary', ...ALL_DAYS, '--key', id);
        expect(totals).toMatchObject({ requests: REQUESTS });
      } finally {
        await database.drop();
      }
    });
  });
}
