import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runInProcess, runForJson } from '../../support/service/command.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../../support/stores/test-database.js';
import { httpRequest, type Answer } from '../../support/http/request.js';
import { lockUsage } from '../../support/stores/lock-usage.js';
import { ServiceProcess } from '../../support/process/processes.js';
import { until } from '../../support/until.js';
import { ALL_DAYS, parseExport } from '../../support/service/usage.js';

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
  });
  afterEach(async () => {
    await service.stop();
    await database.drop();
  });

  it('answers further requests 503 with Retry-After at once, free of charge, and continues to serve', async () => {
    const { key } = await runForJson(database, 'keys', 'create', '--name', 'x', '--rate-limit', '1000000000');
    const get = (path: string) => httpRequest(service.origin, path, { headers: { 'x-api-key': key, origin: ORIGIN } });
    const unlock = await lockUsage(database);
    const answers: Answer[] = [];
    let first: Answer | undefined;
    const sent: Promise<unknown>[] = [];
    const send = (count: number) => {
      for (let nth = 0; nth < count; nth += 1) sent.push(get('/usage').then((answer) => answers.push(answer)));
    };
    send(REQUESTS);
    // On a slow machine, requests are answered before all have been sent.
    await until('a request is turned away', () => {
      first = answers.find(({ headers }) => headers['retry-after'] === '1');
      if (first === undefined) send(REQUESTS / 100);
      return first !== undefined;
    });
    await Promise.all(sent);
    await unlock();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));

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
  });
});
