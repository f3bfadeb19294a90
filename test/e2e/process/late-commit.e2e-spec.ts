import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { runInProcess, runForJson } from '../../support/service/command.js';
import { createTestDatabase, type TestDatabase } from '../../support/stores/test-database.js';
import { httpRequest } from '../../support/http/request.js';
import { ServiceProcess } from '../../support/process/processes.js';
import { TcpProxy } from '../../support/stores/tcp-proxy.js';
import { until } from '../../support/until.js';
import { ALL_DAYS, parseExport } from '../../support/service/usage.js';

const MYSQL_URL = process.env.TEST_MYSQL_URL ?? '';
const PROFILE = '/platforms/live_platform/profiles/none';

const describeServer = MYSQL_URL === '' ? describe.skip : describe;

describeServer('a service that is killed after a 503, and whose records reach the store later', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let key: string;
  let id: string;
  let service: ServiceProcess;
  beforeAll(async () => {
    database = await createTestDatabase('mysql');
    proxy = await TcpProxy.to(MYSQL_URL, 3306);
    await runForJson(database, 'migrate');
    ({ id, key } = await runForJson(database, 'keys', 'create', '--name', 'x', '--rate-limit', '1000000000'));
  });
  afterEach(() => service.stop('SIGKILL'));
  afterAll(async () => {
    await proxy.close();
    await database.drop();
  });

  const start = async (url: string) => {
    service = await ServiceProcess.start({ DATABASE_URL: url, DATA_DIR: database.folder });
  };
  const get = () => httpRequest(service.origin, PROFILE, { headers: { 'x-api-key': key } });
  const rowsOf = async (requestId: unknown) => {
    const { out } = await runInProcess(database, 'usage', 'export', ...ALL_DAYS, '--json');
    return parseExport(out).filter((row) => row.request_id === requestId);
  };

  /**
   * Sends one request whose records are still on their way to the store when its writer dies. @returns the ID of its
   * 503
   */
  const refuseAndKill = async () => {
    await start(proxy.urlOf(database.url));
    expect((await get()).status).toBe(404);
    proxy.hold('INSERT INTO usage_journal');
    const { status, headers } = await get();
    expect([status, proxy.isHolding]).toEqual([503, true]);
    await service.stop('SIGKILL');
    return headers['x-request-id'];
  };

  it('bills nothing for the 503 when the records arrive after the next start', async () => {
    const requestId = await refuseAndKill();
    await start(database.url);
    // Long enough for the next start to try before the records arrive, and again afterwards.
    await delay(2500);
    proxy.release();
    await until('the final record is stored', async () => (await rowsOf(requestId))[0]?.status === 503);
    await delay(500);
    expect(await rowsOf(requestId)).toMatchObject([{ status: 503, quota_units: 0, credits: 0 }]);
    const { lines } = await runForJson(database, 'usage', 'summary', ...ALL_DAYS);
    const { out } = await runInProcess(database, 'usage', 'export', ...ALL_DAYS, '--key', id, '--json');
    const rows = parseExport(out);
    expect(lines.find((line: { key: string }) => line.key === id)).toMatchObject({
      requests: rows.length,
      quota_units: rows.reduce((sum, row) => sum + row.quota_units, 0),
    });
  });

  it('bills nothing for the 503 when the records arrive before the next start', async () => {
    const requestId = await refuseAndKill();
    proxy.release();
    await delay(500);
    await start(database.url);
    await until('the final record is stored', async () => (await rowsOf(requestId))[0]?.status === 503);
    expect(await rowsOf(requestId)).toMatchObject([{ status: 503, quota_units: 0, credits: 0 }]);
  });
});
