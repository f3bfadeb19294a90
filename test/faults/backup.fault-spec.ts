import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Dialect } from '../../src/database/columns.js';
import { aProfile } from '../support/records/builders.js';
import { runClients, type ClientsOutcome } from '../support/http/clients.js';
import { runInProcess, runForJson } from '../support/service/command.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../support/stores/test-database.js';
import { httpRequest } from '../support/http/request.js';
import { runBuiltCommand, ServiceProcess } from '../support/process/processes.js';
import { until } from '../support/until.js';
import { ALL_DAYS, parseExport } from '../support/service/usage.js';
import { compareWithExport, longest, report } from './support/drill.js';
import { PreviousVersion } from './support/previous-version.js';

const TIMEOUT_MS = 600_000;
const CLIENTS = 32;
const BEFORE_ANSWERS = 2000;
const AFTER_MS = 1500;

const profile = aProfile();
const PATH = `/platforms/live_platform/profiles/${profile.id}`;
const PATHS = [PATH, '/usage', '/platforms/live_platform/profiles?limit=3'];

/** The commands in docs/operations.md. */
const BACK_UP: Record<Dialect, (from: TestDatabase, to: TestDatabase) => void> = {
  sqlite: (from, to) => {
    for (const part of ['test.sqlite', 'test-usage.sqlite'])
      execFileSync('sqlite3', [`${from.folder}/${part}`, `VACUUM INTO '${to.folder}/${part}'`]);
  },
  mysql: (from, to) => {
    const dump = execFileSync('mariadb-dump', ['--single-transaction', ...serverOf(from)], { maxBuffer: 2 ** 30 });
    execFileSync('mariadb', serverOf(to), { input: dump });
  },
};

let previous: PreviousVersion | null = null;
beforeAll(() => {
  previous = PreviousVersion.build();
}, TIMEOUT_MS);
afterAll(() => previous?.remove());

describe.each(DIALECTS)('a service under load (%s)', (dialect) => {
  let database: TestDatabase;
  let copy: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase(dialect);
    copy = await createTestDatabase(dialect);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await database.drop();
    await copy.drop();
  });

  const settings = ({ url, folder }: TestDatabase) => ({ DATABASE_URL: url, DATA_DIR: folder });

  /** Runs clients until they are stopped, or until the service is gone. */
  function load(service: ServiceProcess, key: string) {
    let answers = 0;
    let isOver = false;
    const outcome: Promise<ClientsOutcome> = runClients({
      origin: service.origin,
      key,
      clients: CLIENTS,
      path: (nth) => PATHS[nth % PATHS.length] ?? PATH,
      onAnswer: (count) => void (answers = count),
      isDone: () => isOver,
    });
    return {
      runs: () => until('the load runs', () => answers >= BEFORE_ANSWERS, TIMEOUT_MS),
      end: () => ((isOver = true), outcome),
      outcome,
    };
  }

  const exportOf = async (place: TestDatabase) =>
    parseExport((await runInProcess(place, 'usage', 'export', ...ALL_DAYS, '--json')).out);

  it(
    'is upgraded and rolled back: no request fails, and every answer of both versions is billed',
    async () => {
      const root = previous?.root ?? '';
      const old = (...args: string[]) => runBuiltCommand(args, settings(database), JSON.stringify(profile), root, root);
      await old('migrate');
      const { key } = JSON.parse((await old('keys', 'create', '--name', 'x', '--rate-limit', '9999999', '--json')).out);
      await old('import', 'profiles', '-');
      let service = await ServiceProcess.start(settings(database), root);
      const before = load(service, key);
      await before.runs();
      // The start migrates the embedded database.
      if (dialect === 'mysql') await runForJson(database, 'migrate');
      await delay(AFTER_MS);
      await service.stop();
      service = await ServiceProcess.start(settings(database));
      const after = load(service, key);
      await after.runs();
      const outcomes = [await before.outcome, await after.end()];
      await service.stop();
      // The previous version runs on the newer schema.
      service = await ServiceProcess.start(settings(database), root);
      const again = load(service, key);
      await again.runs();
      outcomes.push(await again.end());
      await service.stop();

      const receipts = outcomes.flatMap((outcome) => outcome.receipts);
      const result = compareWithExport(receipts, await exportOf(database));
      const longest_ms = longest(receipts);
      report({ drill: `upgrade under load and back, ${dialect}`, answers: receipts.length, longest_ms, ...result });
      expect(result).toEqual({ lost: 0, doubled: 0 });
      expect(outcomes.flatMap(({ unanswered }) => unanswered)).toEqual([]);
      expect(new Set(receipts.map(({ status }) => status))).toEqual(new Set([200]));
      expect(longest_ms).toBeLessThan(5000);
    },
    TIMEOUT_MS,
  );

  it(
    'is backed up: the restored copy serves, and holds everything answered before',
    async () => {
      await runForJson(database, 'migrate');
      await runBuiltCommand(['import', 'profiles', '-'], settings(database), JSON.stringify(profile));
      const { key } = await runForJson(database, 'keys', 'create', '--name', 'x', '--rate-limit', '9999999');
      const service = await ServiceProcess.start(settings(database));
      const clients = load(service, key);
      await clients.runs();
      const beganAt = performance.now();
      BACK_UP[dialect](database, copy);
      const endedAt = performance.now();
      await delay(AFTER_MS);
      const { receipts, unanswered } = await clients.end();
      await service.stop();

      const rows = await exportOf(copy);
      const result = compareWithExport(
        receipts.filter(({ at }) => at < beganAt),
        rows,
      );
      const seconds = Math.round(endedAt - beganAt) / 1000;
      const longest_ms = longest(receipts);
      report({ drill: `back-up in ${seconds} s, ${dialect}`, answers: receipts.length, longest_ms, ...result });
      expect(result).toEqual({ lost: 0, doubled: 0 });
      expect(unanswered).toEqual([]);
      const { totals } = await runForJson(copy, 'usage', 'summary', ...ALL_DAYS);
      expect(totals).toMatchObject({
        requests: rows.length,
        quota_units: rows.reduce((sum, row) => sum + row.quota_units, 0),
        credits: rows.reduce((sum, row) => sum + row.credits, 0),
      });

      const restored = await ServiceProcess.start(settings(copy));
      const answer = await httpRequest(restored.origin, PATH, { headers: { 'x-api-key': key } });
      await restored.stop();
      expect([answer.status, answer.body.payload]).toEqual([200, profile]);
    },
    TIMEOUT_MS,
  );
});

/** Options of MariaDB's commands, with the database as the last. */
function serverOf({ url }: TestDatabase): string[] {
  const { hostname, port, username, password, pathname } = new URL(url);
  const options = [`--host=${hostname}`, `--port=${port || '3306'}`, `--user=${decodeURIComponent(username)}`];
  return [...options, `--password=${decodeURIComponent(password)}`, pathname.slice(1)];
}
