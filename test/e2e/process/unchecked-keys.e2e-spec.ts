import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeEntry, ENTRY_HEADER_BYTES, readBodyLength } from '../../../src/receipts/outage-entry.js';
import type { UsageRecord } from '../../../src/receipts/usage-record.js';
import { runClients } from '../../support/http/clients.js';
import { runInProcess, runForJson } from '../../support/service/command.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../../support/stores/test-database.js';
import { httpRequest } from '../../support/http/request.js';
import { ServiceProcess } from '../../support/process/processes.js';
import { TcpProxy } from '../../support/stores/tcp-proxy.js';
import { ALL_DAYS, parseExport } from '../../support/service/usage.js';
import { until } from '../../support/until.js';

const CLIENTS = 32;
const ANSWERS = 2 * CLIENTS;
const INVENTED = 200;
const LONGER_THAN_A_WRITE_MS = 5000;

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
  });
  afterEach(async () => {
    await service.stop('SIGKILL');
    await proxy?.close();
    await database.drop();
    for (const folder of [away, dataFolder]) rmSync(folder, { recursive: true });
  });

  const move = (from: string, to: string) => {
    for (const name of readdirSync(from)) renameSync(join(from, name), join(to, name));
  };
  /** A server hangs; the embedded database's files are elsewhere. */
  const takeAway = () => (proxy === null ? move(database.folder, away) : proxy.hang());
  const giveBack = async () => (proxy === null ? move(away, database.folder) : proxy.restore());
  /** Returns the records in the outage file, a list for each entry. */
  const readOutageFile = () => {
    const name = readdirSync(dataFolder).find((file) => file.startsWith('usage-outage-'));
    const file = readFileSync(join(dataFolder, String(name)));
    const entries: (readonly UsageRecord[])[] = [];
    for (let at = 0; ;) {
      const header = file.subarray(at, (at += ENTRY_HEADER_BYTES));
      const length = readBodyLength(header);
      if (length === 0) return entries;
      const groups = decodeEntry(header, file.subarray(at, (at += length)));
      entries.push(groups?.flatMap(({ records }) => records) ?? []);
    }
  };

  it('and is killed: every 503 is in the export, once', async () => {
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
  });

  it('writes the records of one failed write to the disk for keys that it has never issued, and no more', async () => {
    takeAway();
    const sendInvented = async (from: number) => {
      const invented = Array.from(
        { length: INVENTED },
        (_, nth) => key.slice(0, -3) + String(from + nth).padStart(3, '0'),
      );
      for (const other of invented.filter((each) => each !== key)) {
        const { status } = await httpRequest(service.origin, '/usage', { headers: { 'x-api-key': other } });
        expect([403, 429]).toContain(status);
      }
    };
    await sendInvented(0);
    await until('the first write has failed', async () => readOutageFile().length > 0);
    const afterFirst = readOutageFile();
    await sendInvented(INVENTED);
    await delay(LONGER_THAN_A_WRITE_MS);
    expect(readOutageFile()).toEqual(afterFirst);
    expect(afterFirst).toHaveLength(1);
    expect(new Set(afterFirst[0]?.map(({ key_id }) => key_id))).toEqual(new Set([null]));
    expect(afterFirst[0]?.filter(({ status }) => ![403, 429].includes(status))).toEqual([]);
    expect((await httpRequest(service.origin, '/usage', { headers: { 'x-api-key': key } })).status).toBe(503);
    expect(readOutageFile().slice(1)).toEqual([[expect.objectContaining({ status: 503 })]]);
  });
});
