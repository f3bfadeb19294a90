import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aProfile } from '../../support/records/builders.js';
import { runInProcess, type CommandOutcome } from '../../support/service/command.js';
import { createTestDatabase, type TestDatabase } from '../../support/stores/test-database.js';

const MAPPING = JSON.stringify({ platform: 'live_platform', profile: { id: 'id' } });

// Only the embedded database has files.
describe('a file that an option names', () => {
  let database: TestDatabase;
  let folder: string;
  beforeAll(async () => {
    database = await createTestDatabase('sqlite');
    await runInProcess(database, 'keys', 'create', '--name', 'first');
  });
  afterAll(() => database.drop());

  let folders = 0;
  /** Starts a new folder for the files of a test. */
  const aFolder = () => mkdirSync((folder = join(database.folder, `files-${(folders += 1)}`)));
  const path = (name: string) => join(folder, name);
  const aFile = (name: string, content = `${JSON.stringify(aProfile())}\nbad\n`): string => {
    writeFileSync(path(name), content);
    return path(name);
  };
  const databaseFile = (suffix = '') => join(database.folder, `test${suffix}`);
  const run = (...args: string[]) => runInProcess(database, ...args);
  /** Returns the one line with which a command was refused. */
  const refusalOf = ({ status, out, err }: CommandOutcome): string => {
    expect([status, out, err.match(/\n/g)?.length]).toEqual([1, '', 1]);
    return err;
  };

  /** Commands that write rejects, without their inputs. */
  const COMMANDS: [string, () => string[]][] = [
    ['import', () => ['import', 'profiles']],
    ['normalize', () => ['normalize', 'csv', '--out', path('out'), '--mapping', aFile('mapping.json', MAPPING)]],
    ['ingest', () => ['ingest', 'csv', '--mapping', aFile('mapping.json', MAPPING)]],
  ];

  it('is not written through a link that has the name of its unfinished form', async () => {
    aFolder();
    const victim = aFile('victim', 'precious');
    for (const name of ['import.prom', 'profiles.ndjson', 'content.ndjson']) symlinkSync(victim, path(`${name}.part`));
    const rows = aFile('in.csv', 'id\nmocker\n');
    const mapping = aFile('mapping.json', MAPPING);
    const outcomes = [
      await run(
        'import',
        'profiles',
        aFile('in.ndjson', `${JSON.stringify(aProfile())}\n`),
        '--metrics',
        path('import.prom'),
      ),
      await run('normalize', 'csv', rows, '--mapping', mapping, '--out', folder),
    ];
    expect(outcomes.map(({ status }) => status)).toEqual([0, 0]);
    expect(readFileSync(victim, 'utf8')).toBe('precious');
    for (const name of ['import.prom', 'profiles.ndjson']) expect(lstatSync(path(name)).isFile()).toBe(true);
  });

  describe.each(COMMANDS)('for rejects of %s', (name, args) => {
    it.each(['.sqlite', '-usage.sqlite'])('does not replace the database file test%s', async (suffix) => {
      aFolder();
      const { ino } = statSync(databaseFile(suffix));
      const refused = await run(...args(), aFile('in.csv'), '--rejects', databaseFile(suffix));
      expect(refusalOf(refused)).toContain(
        'is a file of the database, but rejected lines would overwrite it: name another file',
      );
      expect(statSync(databaseFile(suffix)).ino).toBe(ino);
    });

    it.each(['.sqlite-wal', '.sqlite-shm', '.sqlite-journal', '-usage.sqlite-wal', '-usage.sqlite-shm'])(
      'does not become test%s, which SQLite creates',
      async (suffix) => {
        aFolder();
        const spelling = join(folder, '..', `test${suffix}`).replace('/test', '/./test');
        expect(refusalOf(await run(...args(), aFile('in.csv'), '--rejects', spelling))).toContain(
          'is a file of the database, but rejected',
        );
      },
    );

    it('does not replace the database through a link', async () => {
      aFolder();
      linkSync(databaseFile('.sqlite'), path('hard'));
      symlinkSync(databaseFile('-usage.sqlite'), path('soft'));
      symlinkSync(databaseFile('.sqlite-wal'), path('dangling'));
      symlinkSync(database.folder, path('folder'));
      const names = ['hard', 'soft', 'dangling', 'folder/test.sqlite', 'folder/test-usage.sqlite-wal'];
      for (const each of names) {
        expect(refusalOf(await run(...args(), aFile('in.csv'), '--rejects', path(each)))).toContain(
          'is a file of the database',
        );
      }
      expect(lstatSync(path('dangling')).isSymbolicLink()).toBe(true);
      expect((await run('keys', 'list')).out).toContain('first');
    });

    if (name !== 'import') {
      it('does not replace the mapping', async () => {
        aFolder();
        const refused = await run(...args(), aFile('in.csv'), '--rejects', path('mapping.json'));
        expect(refusalOf(refused)).toContain('mapping.json is the mapping, but rejected lines would overwrite it');
        expect(readFileSync(path('mapping.json'), 'utf8')).toBe(MAPPING);
      });
    }
  });

  describe('for --metrics', () => {
    const load = (...args: string[]) => run('import', 'profiles', aFile('in.ndjson'), ...args);

    it.each(['', '.part'])(
      'replaces neither the database nor an input, if its name with "%s" is theirs',
      async (end) => {
        aFolder();
        for (const [file, role] of [
          [() => databaseFile('.sqlite'), 'is a file of the database'],
          [() => databaseFile('-usage.sqlite-wal'), 'is a file of the database'],
          [() => path('in.ndjson'), 'is an input'],
        ] as const) {
          symlinkSync(file(), path(`metrics${end}`));
          expect(refusalOf(await load('--metrics', path('metrics')))).toContain(
            `${role}, but --metrics would overwrite it`,
          );
          aFolder();
        }
        expect((await run('keys', 'list')).out).toContain('first');
      },
    );

    it('is not the file for rejects, and neither is its temporary file', async () => {
      aFolder();
      const own = `${path('in.ndjson')}.rejected.ndjson`;
      expect(refusalOf(await load('--metrics', own))).toContain('is a file that --rejects writes: name another file');
      expect(refusalOf(await load('--rejects', path('new.part'), '--metrics', path('new')))).toContain(
        'new.part is a file that --rejects writes',
      );
      symlinkSync(path('new'), path('linked'));
      expect(refusalOf(await load('--rejects', path('linked'), '--metrics', path('new')))).toContain(
        'a file that --rejects writes',
      );
      expect(['new', 'new.part'].filter((each) => existsSync(path(each)))).toEqual([]);
    });

    it('does not replace a device', async () => {
      aFolder();
      symlinkSync('/dev/null', path('null'));
      expect(refusalOf(await load('--metrics', path('null')))).toContain(
        'null is not a regular file: name another file',
      );
    });
  });

  describe('for --out', () => {
    it('of normalize replaces neither the mapping nor the database', async () => {
      aFolder();
      const mapping = aFile('profiles.ndjson', MAPPING);
      expect(
        refusalOf(await run('normalize', 'csv', aFile('in.csv', 'id\n1\n'), '--mapping', mapping, '--out', folder)),
      ).toContain('profiles.ndjson is the mapping, but --out would overwrite it: name another --out');
      expect(readFileSync(mapping, 'utf8')).toBe(MAPPING);
      aFolder();
      symlinkSync(databaseFile('.sqlite'), path('games.ndjson.part'));
      expect(refusalOf(await run('normalize', 'auto', aFile('in.ndjson'), '--out', folder))).toContain(
        'games.ndjson.part is a file of the database, but --out would overwrite it',
      );
    });
  });

  it('is checked before a database is created', async () => {
    aFolder();
    const url = `sqlite:${path('new.sqlite')}`;
    const refused = await runInProcess(
      { url },
      'import',
      'profiles',
      aFile('in.ndjson'),
      '--rejects',
      path('new.sqlite'),
    );
    expect(refusalOf(refused)).toContain('is a file of the database');
    expect(existsSync(path('new.sqlite'))).toBe(false);
  });

  it('may be a device for rejects, and the same for all inputs', async () => {
    aFolder();
    const files = [aFile('a.ndjson'), aFile('b.ndjson')];
    expect((await run('import', 'profiles', ...files, '--rejects', '/dev/null')).status).toBe(2);
    expect((await run('import', 'profiles', ...files, ...files, '--metrics', path('m.prom'))).status).toBe(2);
    expect(readFileSync(path('m.prom'), 'utf8')).toContain('creator_data_import_running');
  });
});
