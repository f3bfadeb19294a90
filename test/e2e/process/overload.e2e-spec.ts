import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runInProcess, runForJson } from '../../support/service/command.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../../support/stores/test-database.js';
import { httpRequest } from '../../support/http/request.js';
import { lockUsage } from '../../support/stores/lock-usage.js';
import { ServiceProcess } from '../../support/process/processes.js';
import { until } from '../../support/until.js';
import { ALL_DAYS, parseExport } from '../../support/service/usage.js';

const TIMEOUT_MS = 60_000;

/** More than the limit of requests in flight, while each waits for its record. */
const REQUESTS = 1200;

const ORIGIN = 'https://app.example.com';

describe.each(DIALECTS)('a service with more requests in flight than its limit (%s)', (dialect) => {
  let database: TestDatabase;
  let service: ServiceProcess;
  beforeEach(async () => {
    database = await createTestDatabase(dialect);
    await runForJson(database, 'migrate');
    service = await ServiceProcess.start({
      DATABASE_URL: database.url,
      DATA_DIR: database.folder,
      CORS_ORIGINS: ORIGIN,
    });
  }, TIMEOUT_MS);
  afterEach(async () => {
    await service.stop();
    await database.drop();
  }, TIMEOUT_MS);

  it(
    'answers further requests 503 with Retry-After at once, free of charge, and continues to serve',
    async () => {
      const { key } = await runForJson(database, 'keys', 'create', '--name', 'x', '--rate-limit', '1000000000');
      const get = (path: string) =>
        httpRequest(service.origin, path, { headers: { 'x-api-key': key, origin: ORIGIN } });
      const unlock = await lockUsage(database);
      const answers = await Promise.all(Array.from({ length: REQUESTS }, () => get('/usage')));
      await unlock();
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));

      const turnedAway = answers.filter(({ headers }) => headers['retry-after'] === '1');
      expect(turnedAway.length).toBeGreaterThan(0);
      const [first] = turnedAway;
      const requestId = first?.headers['x-request-id'];
      expect(first?.body).toEqual({
        error: expect.objectContaining({ status: 503, message: 'Service unavailable', code: 'overloaded' }),
        meta: { request_id: requestId },
      });
      expect(first?.headers['x-credits']).toBeUndefined();
      // Otherwise a page of that origin could not read the status.
      expect(first?.headers['access-control-allow-origin']).toBe(ORIGIN);

      await until('it serves again', async () => (await get('/usage')).status === 200);
      const recorded = async () =>
        parseExport((await runInProcess(database, 'usage', 'export', ...ALL_DAYS, '--json')).out).filter(
          (row) => row.request_id === requestId,
        );
      await until('it is recorded', async () => (await recorded()).length > 0);
      expect(await recorded()).toMatchObject([
        { status: 503, key_id: null, operation: 'unknown', quota_units: 0, credits: 0 },
      ]);
    },
    TIMEOUT_MS,
  );
});
