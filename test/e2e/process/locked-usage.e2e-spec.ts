import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runClients } from '../../support/http/clients.js';
import { runInProcess, runForJson } from '../../support/service/command.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../../support/stores/test-database.js';
import { httpRequest } from '../../support/http/request.js';
import { lockUsage } from '../../support/stores/lock-usage.js';
import { ServiceProcess } from '../../support/process/processes.js';
import { until } from '../../support/until.js';
import { ALL_DAYS, parseExport } from '../../support/service/usage.js';

/** Maximum time of an answer, whatever the store does: 5 s, and more on a machine that is busy with other tests. */
const ANSWERED_MS = 20_000;

describe.each(DIALECTS)('a service whose usage table is locked (%s)', (dialect) => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let key: string;
  let unlock: () => Promise<void>;
  const start = async () => {
    service = await ServiceProcess.start({ DATABASE_URL: database.url, DATA_DIR: database.folder });
  };
  beforeEach(async () => {
    database = await createTestDatabase(dialect);
    await runForJson(database, 'migrate');
    ({ key } = await runForJson(database, 'keys', 'create', '--name', 'x', '--rate-limit', '1000000000'));
    await start();
  });
  afterEach(async () => {
    await unlock();
    await service.stop('SIGKILL');
    await database.drop();
  });

  const health = async () => {
    const { status, body } = await httpRequest(service.origin, '/health');
    return [status, body.payload.checks.usage];
  };

  /** Sends requests for a while, the first ones at once. @returns their receipts and the slowest answer in ms */
  const sendDuringLock = async (whileMs: number) => {
    const end = Date.now() + whileMs;
    const sentAt: number[] = [];
    let slowest = 0;
    const { receipts, unanswered } = await runClients({
      origin: service.origin,
      key,
      clients: 8,
      path: () => {
        sentAt.push(Date.now());
        return '/platforms/live_platform/profiles?limit=3';
      },
      // Equally fast clients are answered in the order of their requests.
      onAnswer: () => (slowest = Math.max(slowest, Date.now() - (sentAt.shift() ?? 0))),
      isDone: () => Date.now() > end,
    });
    expect(unanswered).toEqual([]);
    return { receipts, slowest };
  };

  const recorded = async () => {
    const { out } = await runInProcess(database, 'usage', 'export', ...ALL_DAYS, '--json');
    return parseExport(out).map((row) => [row.request_id, row.status, row.quota_units].join(' '));
  };

  it('answers 503 in seconds, also to requests behind a waiting group, and reports it in the health check', async () => {
    unlock = await lockUsage(database);
    const [{ receipts, slowest }] = await Promise.all([
      sendDuringLock(9000),
      until('the health check answers 503', async () => (await health())[0] === 503),
    ]);
    expect(new Set(receipts.map(({ status }) => status))).toEqual(new Set([503]));
    expect(slowest).toBeLessThan(ANSWERED_MS);
    expect(await health()).toEqual([503, 'down']);
    expect((await httpRequest(service.origin, '/health/live')).status).toBe(200);
    await unlock();
    await until('it is healthy again', async () => (await health())[0] === 200);
  });

  it('is reported by the health check without any request, and so is its recovery', async () => {
    expect(await health()).toEqual([200, 'up']);
    unlock = await lockUsage(database);
    await until('the health check answers 503', async () => (await health())[0] === 503);
    await unlock();
    await until('the health check answers 200', async () => (await health())[0] === 200);
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'records every 503 exactly once after a %s during the outage, without a new start',
    async (signal) => {
      unlock = await lockUsage(database);
      const { receipts } = await sendDuringLock(4000);
      await service.stop(signal);
      await unlock();
      const rows = await recorded();
      expect(rows.toSorted()).toEqual(receipts.map(({ requestId }) => `${requestId} 503 0`).toSorted());
      expect(await recorded()).toEqual(rows);
      expect(readdirSync(database.folder).filter((name) => name.startsWith('usage-outage'))).toEqual([]);
    },
  );

  it('logs a line at most once a minute, not one a request', async () => {
    unlock = await lockUsage(database);
    const { receipts } = await sendDuringLock(4000);
    const lines = service.process.out.split('\n').filter((line) => line.includes('could not be written'));
    expect(receipts.length).toBeGreaterThan(0);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThan(15);
    expect(lines[0]).toContain('"count":');
  });
});
