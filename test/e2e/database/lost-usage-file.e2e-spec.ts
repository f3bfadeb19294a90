import { randomBytes } from 'node:crypto';
import { closeSync, copyFileSync, existsSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EmbeddedConnection } from '../../../src/database/sqlite/embedded-connection.js';
import { prepareFirstRun } from '../../../src/operator/first-run.js';
import { failedStart, runBuiltCommand, ServiceProcess } from '../../support/process/processes.js';
import { runForJson, runInProcess } from '../../support/service/command.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../../support/stores/test-database.js';

const MONTH = ['--month', '2026-10'];

let database: TestDatabase;
const usageFile = () => join(database.folder, 'test-usage.sqlite');
const settings = () => ({ DATABASE_URL: database.url, DATA_DIR: database.folder });
const firstRun = () => prepareFirstRun({ DATABASE_URL: database.url }, join(database.folder, 'no-sample'));
const removeLogs = () => ['-wal', '-shm'].forEach((end) => rmSync(usageFile() + end, { force: true }));

/** Creates a database in other processes, so that no connection of this one keeps its files open. */
async function createDatabase(): Promise<void> {
  database = await createTestDatabase('sqlite');
  await runBuiltCommand(['keys', 'create', '--name', 'x'], settings());
  const connection = new EmbeddedConnection(usageFile());
  connection.pragma('wal_checkpoint(TRUNCATE)');
  connection.close();
  removeLogs();
}

describe('an existing database without its usage file', () => {
  beforeEach(createDatabase);
  afterEach(() => database.drop());

  const reason = (state: string) =>
    `the usage file ${usageFile()} is ${state}: restore it from a backup, or run ` +
    '"creator-data migrate --create-usage-file" to go on without the usage so far';

  /** Replaces the usage file by a database without tables, which a backup of a misspelt path is. */
  const replaceByEmptyDatabase = () => {
    rmSync(usageFile());
    const connection = new EmbeddedConnection(usageFile());
    connection.pragma('journal_mode = WAL');
    connection.close();
  };

  it.each([
    ['missing', 'a removed file', () => rmSync(usageFile())],
    ['empty', 'a file of zero bytes', () => truncateSync(usageFile())],
    ['empty', 'a database without tables', replaceByEmptyDatabase],
  ])('is not used, and the line says that the file is %s: %s', async (state, _what, lose) => {
    lose();
    const size = () => (existsSync(usageFile()) ? statSync(usageFile()).size : null);
    const before = size();
    expect(await failedStart(settings())).toEqual({ status: 1, out: '', err: `Cannot start: ${reason(state)}\n` });
    await expect(firstRun()).rejects.toThrow(reason(state));
    for (const args of [
      ['usage', 'invoice', ...MONTH, '--out', join(database.folder, 'inv')],
      ['usage', 'summary', ...MONTH],
      ['keys', 'list'],
      ['import', 'profiles', '-'],
      ['migrate'],
      ['migrate', '--status'],
    ]) {
      expect(await runInProcess(database, ...args)).toEqual({ status: 1, out: '', err: `${reason(state)}\n` });
    }
    expect(existsSync(join(database.folder, 'inv'))).toBe(false);
    const { status, out } = await runInProcess(database, 'doctor', '--json');
    expect([status, JSON.parse(out)]).toEqual([
      1,
      {
        ok: false,
        checks: expect.arrayContaining([{ name: 'database', state: 'bad', message: reason(state) }]),
      },
    ]);
    expect(size()).toBe(before);
  });

  it('is used again after migrate --create-usage-file, which warns and is in the audit log', async () => {
    rmSync(usageFile());
    const { status, out, err } = await runInProcess(database, 'migrate', '--create-usage-file', '--json');
    expect([status, err]).toEqual([
      0,
      `Creating ${usageFile()} without usage: bills lack all earlier requests, and month allowances start anew.\n`,
    ]);
    const { applied } = JSON.parse(out) as { applied: string[] };
    expect(await runInProcess(database, 'migrate', '--create-usage-file')).toEqual({
      status: 0,
      out: 'The database was up to date.\n',
      err: '',
    });
    const entries = (await runForJson(database, 'audit', 'list')) as { command: string; target: object }[];
    expect(entries.filter(({ command }) => command === 'migrate').map(({ target }) => target)).toEqual([
      { applied: applied.length, newest: applied.at(-1), created_usage_file: true },
    ]);
    expect(await runForJson(database, 'keys', 'list')).toHaveLength(1);
    const service = await ServiceProcess.start(settings());
    expect((await service.stop()).status).toBe(0);
  });
});

it.each(DIALECTS.filter((dialect) => dialect !== 'sqlite'))(
  'migrate --create-usage-file is refused on a database without a usage file (%s)',
  async (dialect) => {
    const other = await createTestDatabase(dialect);
    try {
      const { status, err } = await runInProcess(other, 'migrate', '--create-usage-file');
      expect([status, err]).toEqual([1, '--create-usage-file is for the embedded database, which has a usage file\n']);
    } finally {
      await other.drop();
    }
  },
);

it('migrate --create-usage-file creates a new database without a warning', async () => {
  database = await createTestDatabase('sqlite');
  const { status, err } = await runInProcess(database, 'migrate', '--create-usage-file');
  expect([status, err]).toEqual([0, `Created the database ${join(database.folder, 'test.sqlite')}.\n`]);
  await database.drop();
});

describe('a damaged file is named', () => {
  beforeEach(createDatabase);
  afterEach(() => database.drop());

  const dataFile = () => join(database.folder, 'test.sqlite');
  const damaged = (file: string) => `the database ${file} is damaged: restore a backup`;

  const MIGRATIONS = 'schema_migrations';

  /** Overwrites the pages of the table of migrations with random bytes, or all pages but those and the first one. */
  function damage(file: string, part: string): void {
    const connection = new EmbeddedConnection(file);
    const [{ size, pages }] = connection
      .prepare('SELECT page_size AS size, page_count AS pages FROM pragma_page_size, pragma_page_count')
      .all() as [{ size: number; pages: number }];
    const tables = connection.prepare('SELECT tbl_name AS name, rootpage AS page FROM sqlite_master').all() as {
      name: string;
      page: number;
    }[];
    connection.close();
    const migrations = new Set(tables.filter(({ name }) => name === MIGRATIONS).map(({ page }) => page));
    const opened = openSync(file, 'r+');
    for (let page = 2; page <= pages; page += 1) {
      if (migrations.has(page) === (part === MIGRATIONS)) {
        writeSync(opened, randomBytes(size), 0, size, (page - 1) * size);
      }
    }
    closeSync(opened);
  }

  /** Puts the log of another database, which has pages of another kind, beside the usage file. */
  function addForeignLog(): void {
    const other = join(database.folder, 'other.sqlite');
    const connection = new EmbeddedConnection(other);
    connection.pragma('page_size = 8192');
    connection.pragma('journal_mode = WAL');
    connection.exec('CREATE TABLE other (id INTEGER PRIMARY KEY, text TEXT) WITHOUT ROWID');
    connection.exec(
      `INSERT INTO other WITH RECURSIVE ids (id) AS (VALUES (1) UNION ALL SELECT id + 1 FROM ids WHERE id < 1000)
       SELECT id, printf('%.2000c', 'x') FROM ids`,
    );
    connection.pragma('wal_checkpoint(TRUNCATE)');
    connection.exec(`UPDATE other SET text = printf('%.2000c', 'y')`);
    copyFileSync(`${other}-wal`, `${usageFile()}-wal`);
    connection.close();
  }

  it('by a failed start, if the log of another database is beside the usage file', async () => {
    addForeignLog();
    expect((await failedStart(settings())).err).toBe(`Cannot start: ${damaged(usageFile())}\n`);
  });

  it.each([
    ['the usage file', usageFile],
    ['the data file', dataFile],
  ])('by a failed start and by commands, if random bytes are in %s', async (_what, file) => {
    damage(file(), MIGRATIONS);
    expect((await failedStart(settings())).err).toBe(`Cannot start: ${damaged(file())}\n`);
    await expect(firstRun()).rejects.toThrow(damaged(file()));
    expect((await runInProcess(database, 'keys', 'list')).err).toBe(`${damaged(file())}\n`);
    expect((await runInProcess(database, 'doctor')).out).toContain(`bad      database  ${damaged(file())}\n`);
  });

  it.each([
    ['the usage file', usageFile, ['usage', 'summary', ...MONTH]],
    ['the data file', dataFile, ['keys', 'list']],
  ])('by a command that reads damaged records in %s', async (_what, file, args) => {
    damage(file(), 'all other tables');
    expect((await runInProcess(database, ...args)).err).toBe(`${damaged(file())}\n`);
    expect((await runInProcess(database, 'doctor')).out).toContain(`bad      database  ${damaged(file())}\n`);
  });
});
