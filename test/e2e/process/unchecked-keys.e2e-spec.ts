import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runClients } from '../../support/http/clients.js';
import { runInProcess, runForJson } from '../../support/service/command.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../../support/stores/test-database.js';
import { httpRequest } from '../../support/http/request.js';
import { ServiceProcess } from '../../support/process/processes.js';
import { TcpProxy } from '../../support/stores/tcp-proxy.js';
import { ALL_DAYS, parseExport } from '../../support/service/usage.js';

const TIMEOUT_MS = 90_000;
const CLIENTS = 32;
const ANSWERS = 2 * CLIENTS;
const INVENTED = 200;

describe.each(DIALECTS)('a service whose store cannot say whose key it is (%s)', (dialect) => {
  let database: TestDatabase;
  let proxy: TcpProxy | null;
  let away: string;
  let dataFolder: string;
  let service: ServiceProcess;
  let key: string;

  const start = () =>
    ServiceProcess.start({ DATABASE_URL: proxy?.urlOf(database.url) ?? database.url, DATA_DIR: dataFolder });
  beforeEach(async () => {
    database = await createTestDatabase(dialect);
    proxy = dialect === 'mysql' ? await TcpProxy.to(database.url, 3306) : null;
    [away, dataFolder] = ['away-', 'data-'].map((name) => mkdtempSync(join(tmpdir(), `creator-data-${name}`))) as [
      string,
      string,
    ];
    await runForJson(database, 'migrate');
    ({ key } = await runForJson(database, 'keys', 'create', '--name', 'x', '--rate-limit', '1000000000'));
    service = await start();
  }, TIMEOUT_MS);
  afterEach(async () => {
    await service.stop('SIGKILL');
    await proxy?.close();
    await database.drop();
    for (const folder of [away, dataFolder]) rmSync(folder, { recursive: true });
  }, TIMEOUT_MS);

  const move = (from: string, to: string) => {
    for (const name of readdirSync(from)) renameSync(join(from, name), join(to, name));
  };
  /** A server hangs; the embedded database's files are elsewhere. */
  const takeAway = () => (proxy === null ? move(database.folder, away) : proxy.hang());
  const giveBack = async () => (proxy === null ? move(away, database.folder) : proxy.restore());
  const outageFile = () => readFileSync(join(dataFolder, readdirSync(dataFolder)[0] ?? ''));

  it(
    'and is killed: every 503 is in the export, once',
    async () => {
      takeAway();
      const { receipts } = await runClients({
        origin: service.origin,
        key,
        clients: CLIENTS,
        path: () => '/usage',
        onAnswer: (count) => count === ANSWERS && service.process.signal('SIGKILL'),
      });
      await service.process.ended;
      await giveBack();
      await (await start()).stop();
      const place = { ...database, folder: dataFolder };
      const rows = parseExport((await runInProcess(place, 'usage', 'export', ...ALL_DAYS, '--json')).out);
      const told = ({ status, units, credits }: (typeof receipts)[number]) => `${status} ${units} ${credits}`;
      expect(receipts.length).toBeGreaterThanOrEqual(ANSWERS);
      expect(new Set(receipts.map(told))).toEqual(new Set(['503 0 0']));
      const recorded = rows.filter(({ status }) => status === 503);
      // The first may have had their key looked up just before.
      expect(recorded.filter(({ key_id }) => key_id === null).length).toBeGreaterThanOrEqual(ANSWERS - CLIENTS);
      const ids = recorded.map(({ request_id }) => request_id);
      expect(new Set(ids).size).toBe(ids.length);
      const missing = receipts.filter(({ requestId }) => !ids.includes(requestId)).length;
      expect([missing, receipts.length]).toEqual([0, receipts.length]);
    },
    TIMEOUT_MS,
  );

  it(
    'writes nothing to the disk for keys that it has never issued',
    async () => {
      takeAway();
      const invented = Array.from({ length: INVENTED }, (_, nth) => key.slice(0, -3) + String(nth).padStart(3, '0'));
      const wrong = invented.filter((other) => other !== key);
      const statuses = new Set<number>();
      for (const other of wrong) {
        statuses.add((await httpRequest(service.origin, '/usage', { headers: { 'x-api-key': other } })).status);
      }
      expect(statuses).toEqual(new Set([403, 429]));
      expect(outageFile().every((byte) => byte === 0)).toBe(true);
      expect((await httpRequest(service.origin, '/usage', { headers: { 'x-api-key': key } })).status).toBe(503);
      expect(outageFile().every((byte) => byte === 0)).toBe(false);
    },
    TIMEOUT_MS,
  );
});
