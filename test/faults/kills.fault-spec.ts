import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runClients, type Receipt } from '../support/http/clients.js';
import { runInProcess, runForJson } from '../support/service/command.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../support/stores/test-database.js';
import { ServiceProcess } from '../support/process/processes.js';
import { ALL_DAYS, parseExport } from '../support/service/usage.js';
import { compareWithExport, longest, report } from './support/drill.js';

/** Number of kills over all databases. */
const KILLS = Math.ceil(Number(process.env.FAULT_KILLS ?? 200) / DIALECTS.length);
const CLIENTS = 32;
const TIMEOUT_MS = KILLS * 10_000;

/** A random moment within a second and a half of work. */
const moment = (): number => 50 + Math.random() * 1450;

describe.each(DIALECTS)('a service that is killed at any moment (%s)', (dialect) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase(dialect);
    await runForJson(database, 'migrate');
  });
  afterAll(() => database.drop());

  it(
    `${KILLS} times: exports every answer exactly once`,
    async () => {
      const { id, key } = await runForJson(database, 'keys', 'create', '--name', 'drill', '--rate-limit', '1000000000');
      const receipts: Receipt[] = [];
      for (let nth = 0; nth < KILLS; nth += 1) {
        const service = await ServiceProcess.start({ DATABASE_URL: database.url });
        setTimeout(() => service.process.signal(nth % 4 === 3 ? 'SIGTERM' : 'SIGKILL'), moment());
        const path = (count: number) => (count % 2 === 0 ? '/usage' : '/platforms/live_platform/profiles/none');
        receipts.push(...(await runClients({ origin: service.origin, key, clients: CLIENTS, path })).receipts);
        await service.process.ended;
      }
      const rows = parseExport(
        (await runInProcess(database, 'usage', 'export', ...ALL_DAYS, '--key', id, '--json')).out,
      );
      const result = compareWithExport(receipts, rows);
      const longest_ms = longest(receipts);
      report({ drill: `${KILLS} kills, ${dialect}`, answers: receipts.length, longest_ms, ...result });
      expect(result).toEqual({ lost: 0, doubled: 0 });
    },
    TIMEOUT_MS,
  );
});
