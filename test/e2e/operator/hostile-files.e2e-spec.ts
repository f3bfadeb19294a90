import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiKeyEntity } from '../../../src/features/auth/api-key.entity.js';
import { readConfig } from '../../../src/model/config.js';
import { openDatabase } from '../../../src/schema/open-database.js';
import { aProfile } from '../../support/records/builders.js';
import { runInProcess } from '../../support/service/command.js';
import { createTestDatabase, type TestDatabase } from '../../support/stores/test-database.js';
import { HAS_TERMINAL, runOnTerminal } from '../../support/process/terminal.js';

const MIB = 1024 * 1024;
const MB = 1_000_000;

// Reading a file does not depend on the database.
describe('a hostile file', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('sqlite');
    await runInProcess(database, 'migrate');
  });
  afterAll(() => database.drop());

  const aFile = (name: string, content: string | Buffer): string => {
    const path = join(database.folder, name);
    writeFileSync(path, content);
    return path;
  };
  let folders = 0;
  /** Names a new folder. */
  const out = () => join(database.folder, `out-${(folders += 1)}`);

  /** The commands that read files, with their arguments. */
  const COMMANDS: [string, () => string[]][] = [
    ['import', () => ['import', 'profiles']],
    ['normalize', () => ['normalize', 'auto', '--out', out()]],
    ['ingest', () => ['ingest', 'auto']],
  ];

  describe.each(COMMANDS)('of many small bad values, read by %s', (name, args) => {
    const VALUES = 60_000;
    const bad = (separator: string) =>
      gzipSync(separator === ',' ? `[${Array(VALUES).fill(1).join(',')}]` : '1\n'.repeat(VALUES));
    const file = () => aFile(`${name}.ndjson.gz`, bad(name === 'import' ? '\n' : ','));

    it('fills at most --max-rejects, and the remaining rejects are counted', async () => {
      const path = file();
      const { status, out: output } = await runInProcess(database, ...args(), path, '--max-rejects', '1', '--json');
      const [report] = [JSON.parse(output)].flat();
      expect([status, report.rejected]).toEqual([2, VALUES]);
      const rejects = readFileSync(`${path}.rejected.ndjson`, 'utf8');
      expect(Buffer.byteLength(rejects)).toBeGreaterThan(0.9 * MB);
      expect(Buffer.byteLength(rejects)).toBeLessThanOrEqual(MB);
      expect(report.rejects_omitted).toBe(VALUES - rejects.trimEnd().split('\n').length);
      expect(report.rejects_omitted).toBeGreaterThan(0);
    });

    it('is reported in the output for people', async () => {
      const { status, out: output } = await runInProcess(database, ...args(), file(), '--max-rejects', '1');
      expect([status, output]).toEqual([
        2,
        expect.stringMatching(/60,000 rejected \(.*[\d,]+ of them not written, because --max-rejects is 1 MB\)/),
      ]);
    });

    it('fills at most 100 MB by default, and less is not mentioned', async () => {
      expect((await runInProcess(database, ...args().slice(0, 1), '--help')).out).toMatch(
        /--max-rejects <MB>[^]*default: 100\)/,
      );
      const { status, out: output } = await runInProcess(database, ...args(), file());
      expect([status, output]).toEqual([2, expect.not.stringContaining('not written')]);
    });

    it('shares --max-rejects with a second file', async () => {
      const files = [file(), aFile(`${name}-2.ndjson.gz`, bad('\n'))];
      await runInProcess(database, ...args(), ...files, '--max-rejects', '1');
      const written = files.map((each) => `${each}.rejected.ndjson`).filter(existsSync);
      expect(written.reduce((sum, each) => sum + statSync(each).size, 0)).toBeLessThanOrEqual(MB);
    });
  });

  describe('of little but blank lines', () => {
    const blank = Buffer.alloc(64 * MIB, '\n');
    const mapping = () => aFile('mapping.json', JSON.stringify({ platform: 'live_platform', profile: { id: 'id' } }));
    const line = JSON.stringify(aProfile());

    it.each<[string, () => string[], string]>([
      ['lines, by import', () => ['import', 'profiles'], `${line}\n`],
      ['lines, by normalize', () => ['normalize', 'auto', '--out', out()], `${line}\n`],
      ['lines, by ingest', () => ['ingest', 'auto'], `${line}\n`],
      ['items of an array, by normalize', () => ['normalize', 'auto', '--out', out()], `[\n${line},\n`],
      ['nothing else, by ingest', () => ['ingest', 'auto'], ''],
      ['rows, by ingest', () => ['ingest', 'csv', '--mapping', mapping()], 'id\n1\n'],
    ])('fails with one line (%s)', async (name, args, before) => {
      const file = aFile(`${name.replaceAll(' ', '-')}.gz`, gzipSync(Buffer.concat([Buffer.from(before), blank])));
      const { status, err } = await runInProcess(database, ...args(), file);
      expect([status, err]).toEqual([
        1,
        expect.stringMatching(/: line \d+: more than 1 MiB of blank lines in a row\n$/),
      ]);
      expect(err.match(/\n/g)).toHaveLength(1);
    });

    it.each(COMMANDS)('is accepted with a megabyte of them between two lines, by %s', async (name, args) => {
      const sparse = `${line}\n${'  \r\n'.repeat(200_000)}`;
      const { status, err } = await runInProcess(database, ...args(), aFile(`sparse-${name}.ndjson`, sparse.repeat(2)));
      expect([status === 1, err]).toEqual([false, '']);
    });
  });

  describe.each<[string, (file: string) => string[]]>([
    ['--mapping', (file) => ['normalize', 'csv', aFile('in.csv', 'id\n1\n'), '--out', out(), '--mapping', file]],
    ['--prices', (file) => ['usage', 'invoice', '--month', '2025-01', '--out', out(), '--prices', file]],
  ])('named by %s', (_, args) => {
    it('fails with one line if it is a device, or larger than 1 MiB', async () => {
      expect(await runInProcess(database, ...args('/dev/null'))).toEqual({
        status: 1,
        out: '',
        err: '/dev/null is not a regular file: name a file of at most 1 MiB\n',
      });
      const large = aFile('large.json', Buffer.alloc(MIB + 1, ' '));
      expect(await runInProcess(database, ...args(large))).toEqual({
        status: 1,
        out: '',
        err: `${large} is larger than 1 MiB: name a smaller file\n`,
      });
    });
  });

  describe('with terminal control characters', () => {
    /**
     * A window title, colours, a carriage return, the C1 introducer, DEL, marks that reverse the direction of text, and
     * characters without width.
     */
    const HOSTILE = '\u001b]0;owned\u0007\u001b[31m\r\u009b2J\u007f\u202eevil\u2066\u200b\u061c\u200f';
    const ESCAPED = String.raw`\u001b]0;owned\u0007\u001b[31m\r\u009b2J\u007f\u202eevil\u2066\u200b\u061c\u200f`;
    /** Control characters, except tab and line feed, and format characters. */
    const TERMINAL_CONTROLS = /[^\P{Cc}\t\n]|\p{Cf}/u;

    it.each(COMMANDS)('is escaped in the file name that %s prints', async (_, args) => {
      const { status, err } = await runInProcess(database, ...args(), `${HOSTILE}\n0 rejected`);
      expect(status).toBe(1);
      expect(err).toContain(`${ESCAPED}\\n0 rejected`);
      expect(err).not.toMatch(TERMINAL_CONTROLS);
    });

    it('is escaped in the names of a member and of an existing file', async () => {
      const folder = join(database.folder, `${HOSTILE}\n1 loaded`);
      mkdirSync(folder);
      const file = join(folder, 'in.ndjson');
      writeFileSync(file, `${JSON.stringify({ ...aProfile(), [HOSTILE]: 1, 'x\n2 loaded': 1 })}\n`);
      const { out: output } = await runInProcess(database, 'import', 'profiles', file);
      expect(output).toContain(ESCAPED);
      expect(output).not.toMatch(TERMINAL_CONTROLS);
      expect(output).not.toMatch(/^\d loaded/m);
      const json = await runInProcess(database, 'import', 'profiles', file, '--json');
      expect(JSON.parse(json.out)[0].file).toBe(file);
    });

    it('is escaped in the content of a document', async () => {
      const tweet = { [`${HOSTILE}new`]: 1, kind: 'youtube#channel', id: 'UC1234567890123456789012' };
      const { out: output } = await runInProcess(
        database,
        'ingest',
        'youtube',
        aFile('in.json', JSON.stringify(tweet)),
      );
      expect(output).toContain(`${ESCAPED}new`);
      expect(output).not.toMatch(TERMINAL_CONTROLS);
    });

    it('is escaped in the name of a key that an older version accepted', async () => {
      const issued = await runInProcess(database, 'keys', 'create', '--name', 'first');
      expect(issued.status).toBe(0);
      const opened = await openDatabase(readConfig({ DATABASE_URL: database.url }).database);
      await opened.dataSource.getRepository(ApiKeyEntity).update({ name: 'first' }, { name: `${HOSTILE}\nkey_x` });
      await opened.close();
      const { out: output } = await runInProcess(database, 'keys', 'list');
      expect(output).toContain(`${ESCAPED}\\nkey_x`);
      expect(output).not.toMatch(TERMINAL_CONTROLS);
      expect(output.trimEnd().split('\n')).toHaveLength(2);
      expect((await runInProcess(database, 'keys', 'create', '--name', `a${HOSTILE}`)).err).toContain(
        'control characters',
      );
    });

    if (HAS_TERMINAL) {
      it('is escaped, while the colours of the program are printed', async () => {
        const settings = { DATABASE_URL: database.url, FORCE_COLOR: '1' };
        const { shown } = await runOnTerminal(['import', 'profiles', 'nowhere-\u001b[1mbold'], settings);
        expect(shown).toContain(String.raw`nowhere-\u001b[1mbold does not exist`);
        expect(shown).toContain('\u001b[31m');
        expect(shown).not.toContain('\u001b[1mbold');
        const list = await runOnTerminal(['keys', 'list'], settings);
        expect(list.shown.replaceAll(' ', '')).toContain('\u001b[2mID\u001b[22m');
      });
    }
  });
});
