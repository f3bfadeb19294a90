import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runClients } from '../../support/http/clients.js';
import { runInProcess, runForJson } from '../../support/service/command.js';
import { createTestDatabase, type TestDatabase } from '../../support/stores/test-database.js';
import { httpRequest } from '../../support/http/request.js';
import { ServiceProcess } from '../../support/process/processes.js';
import { OUTAGES } from '../../support/process/rounds.js';
import { TcpProxy } from '../../support/stores/tcp-proxy.js';
import { until } from '../../support/until.js';
import { ALL_DAYS, parseExport } from '../../support/service/usage.js';

/** Maximum time of an answer, whatever the store does: 5 s, and more on a machine that is busy with other tests. */
const ANSWERED_MS = 20_000;

const MYSQL_URL = process.env.TEST_MYSQL_URL ?? '';
const PATHS = [
  '/platforms/live_platform/profiles/none',
  '/platforms/live_platform/content',
  '/games/search?query=x',
  '/usage',
];

// Only a server can be disconnected.
const describeServer = MYSQL_URL === '' ? describe.skip : describe;

describeServer('a service whose database server goes away', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let service: ServiceProcess;
  let key: string;
  let id: string;
  beforeAll(async () => {
    database = await createTestDatabase('mysql');
    proxy = await TcpProxy.to(MYSQL_URL, 3306);
    await runForJson(database, 'migrate');
    ({ id, key } = await runForJson(database, 'keys', 'create', '--name', 'x', '--rate-limit', '1000000000'));
    service = await ServiceProcess.start({ DATABASE_URL: proxy.urlOf(database.url) });
  });
  afterAll(async () => {
    await service.stop();
    await proxy.close();
    await database.drop();
  });

  const health = async () => {
    const { status, body, headers } = await httpRequest(service.origin, '/health');
    return { status, payload: body.payload, retryAfter: headers['retry-after'] };
  };
  const get = (path: string) => httpRequest(service.origin, path, { headers: { 'x-api-key': key } });

  it.each(OUTAGES)(
    'answers 503 with Retry-After during an outage (%s), reports it in the health check, and recovers without a restart',
    async (outage) => {
      const beginOutage = async () => (outage === 'hang' ? proxy.hang() : proxy.cut());
      expect(await health()).toMatchObject({
        status: 200,
        payload: { status: 'ok', checks: { database: 'up', usage: 'up', search: 'up' } },
      });
      let isOver = false;
      const clients = runClients({
        origin: service.origin,
        key,
        clients: 16,
        path: (nth) => PATHS[nth % PATHS.length] ?? '/usage',
        onAnswer: (count) => count === 200 && void beginOutage(),
        isDone: () => isOver,
      });

      // The health check finds the dead database first, recording with the next request's record.
      await until('recording is down', async () => (await health()).payload.checks.usage === 'down');
      expect(await health()).toEqual({
        status: 503,
        payload: { status: 'unavailable', checks: { database: 'down', usage: 'down', capacity: 'up', search: 'up' } },
        retryAfter: expect.stringMatching(/^\d+$/),
      });
      expect((await httpRequest(service.origin, '/health/live')).status).toBe(200);
      const refused = await get('/usage');
      expect([refused.status, refused.body.error]).toEqual([
        503,
        expect.objectContaining({ status: 503, message: 'Service unavailable', code: 'service_unavailable' }),
      ]);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect((await httpRequest(service.origin, '/usage', { headers: { 'x-api-key': 'mistyped' } })).status).toBe(403);

      await proxy.restore();
      await until('it serves again', async () => (await get('/usage')).status === 200);
      expect((await health()).status).toBe(200);
      isOver = true;

      const { receipts, unanswered } = await clients;
      expect(unanswered).toEqual([]);
      expect([...new Set(receipts.map(({ status }) => status))].sort((a, b) => a - b)).toEqual([200, 404, 503]);
      const rejected = receipts.filter(({ status }) => status === 503);
      expect(
        rejected.filter(({ retryAfter, units, credits }) => !(Number(retryAfter) >= 1) || units > 0 || credits > 0),
      ).toEqual([]);

      const exportRows = async () => {
        const { out } = await runInProcess(database, 'usage', 'export', ...ALL_DAYS, '--json');
        return parseExport(out);
      };
      const asked = new Set(receipts.map(({ requestId }) => requestId));
      await until(
        'all records are written',
        async () => (await exportRows()).filter((row) => asked.has(row.request_id)).length >= asked.size,
      );
      const rows = (await exportRows()).filter((row) => asked.has(row.request_id));
      expect(rows.map((row) => [row.request_id, row.status, row.quota_units].join(' ')).sort()).toEqual(
        receipts.map((receipt) => [receipt.requestId, receipt.status, receipt.units].join(' ')).sort(),
      );
      expect(rows.filter((row) => row.status !== 503 && row.key_id !== id)).toEqual([]);
    },
  );

  it('answers every request in seconds while the server hangs, and logs it at most once a minute', async () => {
    const logged = () => service.process.out.split('\n').filter((line) => line.includes('store unavailable')).length;
    const { process: running } = service;
    await until(
      'the earlier outage has ended',
      async () => running.out.lastIndexOf('is available again') > running.out.lastIndexOf('store unavailable'),
    );
    const before = logged();
    const slowest = async (path: string) => {
      const startedAt = Date.now();
      const { status } = await get(path);
      return [status, Date.now() - startedAt] as const;
    };
    // Some requests are in flight when the server hangs: their keys are known, their records are not stored.
    const inFlight = Array.from({ length: 200 }, (_, nth) => slowest(PATHS[nth % PATHS.length] ?? '/usage'));
    await delay(20);
    proxy.hang();
    const answers = [...inFlight];
    const startedAt = Date.now();
    for (let nth = 0; nth < 60; nth += 1) {
      answers.push(slowest(PATHS[nth % PATHS.length] ?? '/usage'));
      await delay(100);
    }
    const all = await Promise.all(answers);
    const minutes = (Date.now() - startedAt) / 60_000;
    await proxy.restore();
    await until('it serves again', async () => (await get('/usage')).status === 200);
    expect(all.filter(([, ms]) => ms > ANSWERED_MS)).toEqual([]);
    expect(all.filter(([status]) => status === 503).length).toBeGreaterThan(50);
    expect(logged() - before).toBeGreaterThan(0);
    expect(logged() - before).toBeLessThanOrEqual(minutes + 2);
  });

  it('logs no password and no key during an outage', () => {
    const log = service.process.out + service.process.err;
    expect(log).toContain('store unavailable');
    expect(log).not.toContain(key);
  });
});
