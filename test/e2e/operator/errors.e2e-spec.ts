import { once } from 'node:events';
import { createServer } from 'node:net';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../../support/stores/free-port.js';
import { aContent, aProfile } from '../../support/records/builders.js';
import { runInProcess } from '../../support/service/command.js';
import { createTestDatabase, type TestDatabase } from '../../support/stores/test-database.js';
import { runBuiltCommand } from '../../support/process/processes.js';

// Errors of commands do not depend on the database.
describe('an operator command that fails', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('sqlite');
    await runInProcess(database, 'migrate');
  });
  afterAll(() => database.drop());

  const aFile = (name: string, content: string): string => {
    const path = join(database.folder, name);
    writeFileSync(path, content);
    return path;
  };
  const nowhere = () => ({ url: `sqlite:${join(database.folder, 'nowhere', 'typo.sqlite')}` });
  const days = ['--from', '2026-01-01', '--to', '2026-01-31'];

  it('prints one line with the error and its remedy, in the built program', async () => {
    const { status, out, err } = await runBuiltCommand(['import', 'profiles', 'nowhere.ndjson'], {
      DATABASE_URL: database.url,
    });
    expect([status, out, err]).toEqual([1, '', 'nowhere.ndjson does not exist: check the spelling and the folder\n']);
  });

  it.each([
    ['a folder in place of a file', () => ['import', 'profiles', database.folder], /is a folder: name the files in it/],
    [
      'a misspelt command',
      () => ['keys', 'lst'],
      /unknown command 'lst' \(Did you mean list\?\); see "creator-data keys --help"/,
    ],
    [
      'a misspelt option',
      () => ['usage', 'export', ...days, '--form', 'x'],
      /--form.*see "creator-data usage export --help"/,
    ],
    ['an invalid date', () => ['usage', 'export', '--from', '2026-02-30', '--to', 'x'], /YYYY-MM-DD; see/],
    ['a file that is not gzip', () => ['import', 'profiles', aFile('a.ndjson.gz', 'plain')], /not a valid gzip file/],
  ])('names %s', async (_, args, message) => {
    const { status, out, err } = await runInProcess(database, ...args());
    expect([status, out]).toEqual([1, '']);
    expect(err).toMatch(message);
    expect(err.match(/\n/g)).toHaveLength(1);
  });

  it('names a kind that does not fit the file, and loads nothing', async () => {
    const file = aFile('content.ndjson', `${JSON.stringify(aContent())}\n${JSON.stringify(aContent())}\n`);
    const { status, out, err } = await runInProcess(database, 'import', 'profiles', file);
    expect([status, out]).toEqual([1, '']);
    expect(err).toContain(
      'a file of content, not of profiles: nothing was loaded; run "creator-data import content FILE"',
    );
    expect(existsSync(`${file}.rejected.ndjson`)).toBe(false);
  });

  it('still rejects a bad file of the right kind line by line', async () => {
    const file = aFile('bad.ndjson', `{}\nnothing\n${JSON.stringify({ ...aProfile(), platform_id: 'x' })}\n`);
    expect((await runInProcess(database, 'import', 'profiles', file)).status).toBe(2);
  });

  it('reports an address where no server listens, without the password', async () => {
    const port = await freePort();
    const { status, err } = await runInProcess({ url: `mysql://user:secret@127.0.0.1:${port}/data` }, 'keys', 'list');
    expect([status, err]).toEqual([
      1,
      `the database data at 127.0.0.1:${port} cannot be reached (nothing listens there): start it, or correct DATABASE_URL\n`,
    ]);
  });

  it('reports a server that cuts the connection as unreachable', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const { status, err } = await runInProcess({ url: `mysql://user:secret@127.0.0.1:${port}/data` }, 'keys', 'list');
    server.close();
    expect([status, err]).toEqual([1, expect.stringContaining('cannot be reached (the connection was cut)')]);
  });

  it('reports a file that is not a database', async () => {
    const url = `sqlite:${aFile('letter.txt', 'Dear Sir or Madam, '.repeat(100))}`;
    expect((await runInProcess({ url }, 'keys', 'list')).err).toMatch(/letter\.txt is not an SQLite database/);
  });

  it.each([
    ['an argument', ['keys', 'list', '--all'], 'invalid_arguments'],
    ['dates', ['usage', 'summary', '--from', '2026-02-01', '--to', '2026-01-01'], 'invalid_arguments'],
    ['a key', ['keys', 'revoke', 'key_nobody'], 'not_found'],
    ['a file', ['import', 'profiles', '/nowhere'], 'invalid_file'],
  ])('prints the error as JSON on standard output with --json (%s)', async (_, args, code) => {
    const { status, out, err } = await runInProcess(database, ...args, '--json');
    expect([status, err]).toEqual([1, '']);
    expect(JSON.parse(out)).toEqual({ error: { code, message: expect.stringMatching(/^[^\n]+$/) } });
  });

  it.each([
    [['keys', 'list']],
    [['keys', 'revoke', 'key_x']],
    [['usage', 'summary', ...days]],
    [['usage', 'export', ...days]],
    [['forget', 'live_platform', 'x']],
  ])('does not create a missing database: %j', async (args) => {
    const { status, err } = await runInProcess(nowhere(), ...args);
    expect([status, err]).toEqual([
      1,
      expect.stringMatching(/^there is no database .*typo\.sqlite: correct DATABASE_URL/),
    ]);
    expect(existsSync(join(database.folder, 'nowhere'))).toBe(false);
  });

  it('says that a command created a missing database, in case its path is a typo', async () => {
    const path = join(database.folder, 'created.sqlite');
    const create = () => runInProcess({ ...database, url: `sqlite:${path}` }, 'audit', 'list', '--json');
    const migrate = () => runInProcess({ ...database, url: `sqlite:${path}` }, 'migrate', '--json');
    expect((await create()).err).not.toContain('Created');
    expect((await migrate()).err).toBe(`Created the database ${path}.\n`);
    expect((await migrate()).err).toBe('');
  });

  it('migrate --status lists every pending migration, and creates no database', async () => {
    const { status, out, err } = await runInProcess(nowhere(), 'migrate', '--status', '--json');
    expect([status, err]).toEqual([0, expect.stringContaining('There is no database')]);
    expect(JSON.parse(out).pending.length).toBeGreaterThan(1);
    expect(existsSync(join(database.folder, 'nowhere'))).toBe(false);
  });

  it('import of a missing file creates no database', async () => {
    mkdirSync(join(database.folder, 'empty'));
    const url = `sqlite:${join(database.folder, 'empty', 'new.sqlite')}`;
    expect((await runInProcess({ url }, 'import', 'profiles', '/nowhere')).status).toBe(1);
    expect(existsSync(join(database.folder, 'empty', 'new.sqlite'))).toBe(false);
  });
});
