import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aProfile } from '../../support/records/builders.js';
import { runInProcess, type CommandOutcome } from '../../support/service/command.js';
import { createTestDatabase, type TestDatabase } from '../../support/stores/test-database.js';
import { BuiltProcess } from '../../support/process/processes.js';
import { until } from '../../support/until.js';

/** Time within which a command must exit after a signal. */
const PROMPTLY_MS = 20_000;

const profile = (): string => `${JSON.stringify(aProfile())}\n`;

const linesOf = (file: string): { file?: string; line: number; text: string }[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

// Reading a file does not depend on the database.
describe('import', () => {
  let database: TestDatabase;
  let folder: string;
  beforeAll(async () => {
    database = await createTestDatabase('sqlite');
  });
  afterAll(() => database.drop());

  let folders = 0;
  /** Returns a path in the folder of the test. */
  const path = (name: string) => join(folder, name);
  const aFolder = () => mkdirSync((folder = join(database.folder, `files-${(folders += 1)}`)));
  const aFile = (name: string, content: string | Buffer): string => {
    writeFileSync(path(name), content);
    return path(name);
  };
  const load = (...args: string[]): Promise<CommandOutcome> => runInProcess(database, 'import', 'profiles', ...args);

  it.each([
    [5_000, 'platform_id is missing; unknown member: a'],
    // Only the first problem of a long line is named.
    [100_000, 'platform_id is missing'],
  ])('rejects a line that is nested %d levels deep, with a reason, and goes on', async (levels, reason) => {
    aFolder();
    const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const objects = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    const { id, platform_id } = aProfile();
    const lines = [
      deep,
      objects,
      ...[deep, objects].map((value) => `{"platform_id":"${platform_id}","id":"${id}","name":${value}}`),
    ];
    const file = aFile('deep.ndjson', `${lines.join('\n')}\n${profile()}`);
    const { status, out } = await load(file, '--json');
    expect([status, JSON.parse(out)]).toMatchObject([2, [{ loaded: 1, rejected: 4 }]]);
    expect(linesOf(`${file}.rejected.ndjson`)).toMatchObject([
      { line: 1, reason: 'not an object' },
      { line: 2, reason },
      { line: 3, reason: 'name must be a string' },
      { line: 4, reason: 'name must be a string' },
    ]);
  });

  describe('never overwrites its input', () => {
    it.each(['the same name', 'another spelling', 'a link'])(
      'a repaired rejects file beside its source (%s) is rejected before any line is lost',
      async (how) => {
        aFolder();
        const file = aFile('a.ndjson', `bad\n${profile()}`);
        expect((await load(file)).status).toBe(2);
        const repaired = aFile('a.ndjson.rejected.ndjson', profile());
        const content = readFileSync(repaired, 'utf8');
        if (how === 'a link') execFileSync('ln', [repaired, path('linked')]);
        const given = { 'the same name': repaired, 'another spelling': `${folder}/./a.ndjson.rejected.ndjson` }[how];
        const { status, out, err } = await load(file, given ?? path('linked'));
        expect([status, out]).toEqual([1, '']);
        expect(err).toBe(
          `${repaired} is an input, but rejected lines would overwrite it: name another file with --rejects\n`,
        );
        expect(readFileSync(repaired, 'utf8')).toBe(content);
      },
    );

    it('--rejects that names an input is rejected', async () => {
      aFolder();
      const file = aFile('a.ndjson', `bad\n${profile()}`);
      const { status, err } = await load(file, '--rejects', file);
      expect([status, err]).toEqual([1, expect.stringContaining('is an input, but rejected lines')]);
      expect(readFileSync(file, 'utf8')).toContain('bad');
    });

    it('standard input from the file that its rejects would go to is rejected', async () => {
      aFolder();
      const file = aFile('stdin.rejected.ndjson', `bad\n${profile()}`);
      const descriptor = openSync(file, 'r');
      const importing = await BuiltProcess.start(
        'cli.mjs',
        ['import', 'profiles', '-'],
        { DATABASE_URL: database.url },
        folder,
        descriptor,
      );
      const { status, err } = await importing.ended;
      closeSync(descriptor);
      expect([status, err]).toEqual([1, expect.stringContaining('is an input, but rejected lines')]);
      expect(readFileSync(file, 'utf8')).toContain('bad');
    });

    it('a repaired rejects file loads on its own', async () => {
      aFolder();
      expect((await load(aFile('a.ndjson.rejected.ndjson', profile()))).status).toBe(0);
    });
  });

  describe('writes bad lines to the file of --rejects', () => {
    it('from one file, replacing older content', async () => {
      aFolder();
      const rejects = aFile('elsewhere.ndjson', 'older\n');
      const { status, out } = await load(aFile('a.ndjson', `bad\n${profile()}`), '--rejects', rejects, '--json');
      expect([status, JSON.parse(out)[0].rejected_file]).toEqual([2, rejects]);
      expect(linesOf(rejects)).toEqual([{ line: 1, reason: 'not JSON', text: 'bad' }]);
      expect(existsSync(path('a.ndjson.rejected.ndjson'))).toBe(false);
    });

    it('from several files, each line with its file', async () => {
      aFolder();
      const [a, b] = [aFile('a.ndjson', `bad a\n${profile()}`), aFile('b.ndjson', `${profile()}bad b\n`)];
      expect((await load(a, b, '--rejects', path('r'))).status).toBe(2);
      expect(linesOf(path('r')).map(({ file, line, text }) => [file, line, text])).toEqual([
        [a, 1, 'bad a'],
        [b, 2, 'bad b'],
      ]);
    });

    it('even when the default rejects file could not be written', async () => {
      aFolder();
      // The default name of the rejects file exceeds the limit of the file system.
      const file = aFile(`${'x'.repeat(240)}.ndjson`, `bad\n${profile()}`);
      const { status, out } = await load(file, '--rejects', path('r'), '--json');
      expect([status, JSON.parse(out)[0].loaded]).toEqual([2, 1]);
      const good = aFile(`${'y'.repeat(240)}.ndjson`, profile());
      expect((await load(good)).status).toBe(0);
    });

    it('or fails, naming the option, when the default rejects file cannot be written', async () => {
      aFolder();
      const file = aFile(`${'x'.repeat(240)}.ndjson`, `bad\n${profile()}`);
      const { status, err } = await load(file);
      expect([status, err.match(/\n/g)?.length]).toEqual([1, 1]);
      expect(err).toMatch(/^rejected lines cannot be written to .*: name another file with --rejects\n$/);
    });
  });

  describe('fails with one line that names the file', () => {
    it('for a truncated gzip file', async () => {
      aFolder();
      const packed = gzipSync(Array.from({ length: 1000 }, profile).join(''));
      const file = aFile('cut.ndjson.gz', packed.subarray(0, -100));
      expect(await load(file)).toMatchObject({
        status: 1,
        err: `${file}: the gzip file is truncated: download it again\n`,
      });
    });

    it('for a file that is not gzip', async () => {
      aFolder();
      const file = aFile('none.ndjson.gz', profile());
      expect(await load(file)).toMatchObject({
        status: 1,
        err: `${file}: this is not a valid gzip file: download it again, or rename it if it is not compressed\n`,
      });
    });

    it('for a folder', async () => {
      aFolder();
      expect((await load(folder)).err).toMatch(new RegExp(`^${folder} is a folder: name the files in it[^\n]*\n$`));
    });

    it('for more than 1 MiB of blank lines, however small they are compressed', async () => {
      aFolder();
      const blank = Buffer.alloc(64 * 1024 * 1024, '\n');
      const file = aFile('blank.ndjson.gz', gzipSync(Buffer.concat([Buffer.from(profile()), blank])));
      const { status, err } = await load(file);
      expect([status, err]).toEqual([1, `${file}: line 1048578: more than 1 MiB of blank lines in a row\n`]);
    });

    it('but not for a megabyte of blank lines between two records', async () => {
      aFolder();
      const blank = '  \r\n'.repeat(200_000);
      const { status, out } = await load(aFile('sparse.ndjson', `${profile()}${blank}${profile()}${blank}`), '--json');
      expect([status, JSON.parse(out)[0]]).toEqual([0, expect.objectContaining({ lines: 2, loaded: 2 })]);
    });
  });

  describe('reads a named pipe', () => {
    const aPipe = (): string => {
      aFolder();
      execFileSync('mkfifo', [path('pipe')]);
      return path('pipe');
    };
    const start = (pipe: string) =>
      BuiltProcess.start('cli.mjs', ['import', 'profiles', pipe], { DATABASE_URL: database.url }, folder);

    it('while it is written, to its end', async () => {
      const pipe = aPipe();
      const importing = await start(pipe);
      execFileSync('sh', ['-c', `cat > "$1"`, 'sh', pipe], { input: profile() + profile() });
      const { status, out } = await importing.ended;
      expect([status, out]).toEqual([0, expect.stringContaining(': 2 loaded in ')]);
    });

    it.each([
      ['SIGINT', 'that nobody writes'],
      ['SIGTERM', 'that nobody writes'],
      ['SIGTERM', 'whose writer is silent'],
    ] as const)('%s ends the import of one %s', async (signal, which) => {
      const pipe = aPipe();
      // Opened for reading and writing, so that opening does not block.
      const writer = which === 'whose writer is silent' ? openSync(pipe, 'r+') : null;
      const old = aFile('pipe.rejected.ndjson', '');
      const importing = await start(pipe);
      // The last output before the command opens the pipe.
      await until('it has removed older rejects', () => !existsSync(old));
      await delay(200);
      const askedAt = Date.now();
      importing.signal(signal);
      const late = setTimeout(() => importing.signal('SIGKILL'), PROMPTLY_MS);
      const { status, err } = await importing.ended;
      clearTimeout(late);
      if (writer !== null) closeSync(writer);
      expect([status, err]).toEqual([1, expect.stringMatching(/^Stopped\./)]);
      expect(Date.now() - askedAt).toBeLessThan(PROMPTLY_MS);
    });
  });
});
