import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../src/model/config.js';
import { WriterRegistry } from '../../../src/receipts/writer-registry.js';
import { openDatabase } from '../../../src/schema/open-database.js';
import { ROOT } from '../../support/files/project-root.js';
import { buildOnce } from '../../support/process/build.js';
import { runInProcess, runForJson } from '../../support/service/command.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../../support/stores/test-database.js';
import { httpRequest } from '../../support/http/request.js';
import { lockUsage } from '../../support/stores/lock-usage.js';
import { runBuiltCommand, ServiceProcess } from '../../support/process/processes.js';

beforeAll(() => buildOnce());

/** Option of Node.js that moves the clock of a process. */
const setClock = (byMs: number): string =>
  `--import=data:text/javascript,${encodeURIComponent(`const now=Date.now;Date.now=()=>now()+${byMs}`)}`;

const MOUNT = ['-m', 'mount', '--bind', '/dev/null', '/proc/uptime'];
const describeMount = spawnSync('unshare', MOUNT).status === 0 ? describe : describe.skip;

const MONTH = '2018-02';
const MONTH_END = Date.parse('2018-02-28T23:50:00Z');

describe.each(DIALECTS)('a process that recorded the end of a month (%s)', (dialect) => {
  let database: TestDatabase;
  let key: string;
  /** Data folder of another machine, without the files of the process. */
  let elsewhere: string;
  let service: ServiceProcess;
  beforeEach(async () => {
    database = await createTestDatabase(dialect);
    elsewhere = mkdtempSync(join(tmpdir(), 'creator-data-test-'));
    await runForJson(database, 'migrate');
    ({ key } = await runForJson(database, 'keys', 'create', '--name', 'x'));
    service = await ServiceProcess.start({
      DATABASE_URL: database.url,
      DATA_DIR: database.folder,
      NODE_OPTIONS: setClock(MONTH_END - Date.now()),
    });
  });
  afterEach(async () => {
    await service.stop('SIGKILL');
    await database.drop();
    rmSync(elsewhere, { recursive: true });
  });

  const request = () => httpRequest(service.origin, '/usage', { headers: { 'x-api-key': key } });
  let archives = 0;
  const archive = (folder: string, ...args: string[]) => {
    const out = join(database.folder, `archive-${(archives += 1)}`);
    return runInProcess({ ...database, folder }, 'usage', 'archive', '--month', MONTH, '--out', out, ...args);
  };
  const refusal = (pid: number | undefined) =>
    new RegExp(
      `^2018-02 is not over, and an archive is final: process ${pid} on ${hostname()} \\(writer ([0-9a-f]{16})\\), ` +
        'last seen 2018-02-28 23:5\\d:\\d\\d UTC, has recorded all requests received before 2018-02-28 23:5\\d:\\d\\d UTC, ' +
        'but not all later ones: restart it, or run this command with its DATA_DIR; ' +
        'if it is permanently lost, "creator-data usage archive --dismiss \\1" goes on without it\n$',
    );

  const withRegistry = async <T>(use: (registry: WriterRegistry) => Promise<T>): Promise<T> => {
    const store = await openDatabase(readConfig({ DATABASE_URL: database.url }).database);
    try {
      return await use(new WriterRegistry(store));
    } finally {
      await store.close();
    }
  };
  /** Stops the process, and lists it again, as a backup of the time when it ran does. */
  const restoreBackup = () =>
    withRegistry(async (registry) => {
      const rows = await registry.list();
      await service.stop();
      for (const row of rows) await registry.save(row);
    });
  const SUMMARY = ['usage', 'summary', '--month', MONTH];
  const expectListed = async () =>
    expect(await withRegistry((registry) => registry.list())).toMatchObject([{ pid: service.process.child.pid }]);

  it('leaves the month closed after it was stopped', async () => {
    expect((await request()).status).toBe(200);
    await service.stop();
    expect(await archive(elsewhere)).toMatchObject({ status: 0, out: expect.stringContaining(': 1 record of') });
  });

  it('does not keep the month open after a backup of its time was restored, with `creator-data restored`', async () => {
    await restoreBackup();
    expect((await archive(database.folder)).err).toMatch(refusal(service.process.child.pid));
    const { status, out } = await runInProcess(database, 'restored');
    expect([status, out]).toEqual([
      0,
      expect.stringMatching(/ Removed 1 process that ran when the backup was made\.\n$/),
    ]);
    expect(await archive(database.folder)).toMatchObject({ status: 0, err: '' });
  });

  it('is named by a prune of the month, before the archive that the prune lacks', async () => {
    await request();
    const { status, err } = await runInProcess(database, 'usage', 'prune', '--before', '2018-03-01', '--yes');
    const { pid } = service.process.child;
    const reason = new RegExp(`^the days before 2018-03-01 are not over; nothing was deleted: process ${pid} on `);
    expect([status, err]).toEqual([1, expect.stringMatching(reason)]);
  });

  it('that still runs is named by `creator-data restored`, because it read the store from before', async () => {
    const { status, err } = await runInProcess(database, 'restored');
    const { pid } = service.process.child;
    expect([status, err]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^Warning: process ${pid} on .*, seems to run: restart it, because`)),
    ]);
  });

  if (dialect === 'mysql') {
    it('is removed by a command that waits longer for a busy store than requests do', async () => {
      await restoreBackup();
      const connection = await createConnection({ uri: database.url });
      await connection.query('LOCK TABLES usage_writers READ');
      const restored = runInProcess(database, 'restored');
      await delay(2500);
      await connection.end();
      expect(await restored).toMatchObject({ status: 0, out: expect.stringContaining(' Removed 1 process ') });
    });
  }

  it('keeps the month open after it was killed, until its file is adopted', async () => {
    await service.stop('SIGKILL');
    const { status, out, err } = await archive(elsewhere);
    expect([status, out]).toEqual([1, '']);
    expect(err).toMatch(refusal(service.process.child.pid));
    const { checks } = await runForJson({ ...database, folder: elsewhere }, 'doctor');
    expect(checks).toContainEqual({
      name: 'writers',
      state: 'warning',
      message: expect.stringContaining(`process ${service.process.child.pid} on ${hostname()} (writer `),
    });
    expect(await archive(database.folder)).toMatchObject({ status: 0, err: '' });
    expect(await archive(elsewhere)).toMatchObject({ status: 0, err: '' });
  });

  it('keeps the month open after it was lost, until it is dismissed, whichever other processes run', async () => {
    await service.stop('SIGKILL');
    const [, id = ''] = refusal(service.process.child.pid).exec((await archive(elsewhere)).err) ?? [];
    const alive = await ServiceProcess.start({ DATABASE_URL: database.url, DATA_DIR: elsewhere });
    try {
      const unknown = await archive(elsewhere, '--dismiss', 'x');
      expect([unknown.status, unknown.err]).toEqual([1, expect.stringMatching(/^there is no process x to dismiss/)]);
      expect(await archive(elsewhere, '--dismiss', id)).toMatchObject({ status: 0 });
    } finally {
      await alive.stop();
    }
  });

  it('keeps the month open with an outage to settle, until that is in the store and in the archive', async () => {
    const unlock = await lockUsage(database);
    const { status } = await request();
    await service.stop();
    await unlock();
    expect(status).toBe(503);
    expect((await archive(elsewhere)).err).toMatch(refusal(service.process.child.pid));
    expect(await archive(database.folder)).toMatchObject({
      status: 0,
      out: expect.stringContaining(': 1 record of'),
    });
  });

  it('keeps the month open with a damaged file of an outage, until it is dismissed', async () => {
    const unlock = await lockUsage(database);
    expect((await request()).status).toBe(503);
    await service.stop('SIGKILL');
    await unlock();
    const name = readdirSync(database.folder).find((each) => each.startsWith('usage-outage-')) ?? '';
    const bytes = readFileSync(join(database.folder, name));
    bytes.writeUInt8((bytes[10] ?? 0) ^ 1, 10);
    writeFileSync(join(database.folder, name), bytes);
    const [warning = '', reason = ''] = (await archive(database.folder)).err.split(/(?<=\n)/);
    const kept = readdirSync(database.folder).find((each) => each.startsWith('damaged-usage-outage-')) ?? '';
    expect(warning).toBe(
      `Warning: usage records of an outage are lost: the file is damaged, and kept: ${join(database.folder, kept)}\n`,
    );
    const [, id = ''] = refusal(service.process.child.pid).exec(reason) ?? [];
    expect(await archive(database.folder, '--dismiss', id)).toMatchObject({ status: 0, err: '' });
    expect(readFileSync(join(database.folder, kept)).equals(bytes)).toBe(true);
  });

  it('stays in the registry while it runs, whatever the clock of a command says', async () => {
    const settings = { DATABASE_URL: database.url, DATA_DIR: database.folder, NODE_OPTIONS: setClock(86_400_000) };
    expect(await runBuiltCommand(SUMMARY, settings)).toMatchObject({ status: 0 });
    await expectListed();
  });

  describeMount('beside a command under another `/proc/uptime`', () => {
    it('stays in the registry while it runs', async () => {
      const uptime = join(elsewhere, 'uptime');
      writeFileSync(uptime, '5.00 5.00\n');
      const command = 'mount --bind "$0" /proc/uptime && exec node dist/bundle/cli.mjs "$@"';
      const env = { ...process.env, DATABASE_URL: database.url, DATA_DIR: database.folder };
      const { status } = spawnSync('unshare', ['-m', 'bash', '-c', command, uptime, ...SUMMARY], { cwd: ROOT, env });
      expect(status).toBe(0);
      await expectListed();
    });
  });
});
