import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, expect, it } from '@jest/globals';
import { ProgressEntity } from '../../../src/database/progress.entity.js';
import { ProfileEntity } from '../../../src/features/profiles/profile.entity.js';
import { removeAll } from '../../support/lists/lists.js';
import { aProfile } from '../../support/records/builders.js';
import { runInProcess, runForJson, withoutProgress } from '../../support/service/command.js';
import { BuiltProcess, runBuiltCommand } from '../../support/process/processes.js';
import { describeService } from '../../support/service/test-service.js';
import { withoutSqlCheck } from '../../support/sql/sql-list.js';
import { until } from '../../support/until.js';

/** Records of one file: some batches of 12 MiB. */
const RECORDS = 1200;
const DESCRIPTION = 'x'.repeat(40_000);

interface Report {
  readonly file: string;
  readonly resumed_after: number;
  readonly seconds: number;
}

describeService('import --resume', (service) => {
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(service().testDatabase.folder, 'resume-'));
    await removeAll(service());
    await clear(ProgressEntity);
  });

  const clear = (entity: typeof ProgressEntity) =>
    withoutSqlCheck(() => service().database.dataSource.createQueryBuilder().delete().from(entity).execute());
  const settings = () => ({ DATABASE_URL: service().testDatabase.url });
  const run = (...args: string[]) => runInProcess(service().testDatabase, 'import', 'profiles', ...args);
  const progressRows = () => withoutSqlCheck(() => service().database.dataSource.getRepository(ProgressEntity).find());
  const storedLines = async (): Promise<number> => {
    const [row] = await progressRows();
    return row === undefined
      ? 0
      : (JSON.parse(String(row.document)) as { point: { storedLine: number } }).point.storedLine;
  };
  const documents = async (): Promise<string[]> => {
    const rows = await withoutSqlCheck(() => service().database.dataSource.getRepository(ProfileEntity).find());
    return rows.map(({ document }) => String(document)).sort();
  };

  /** Returns lines with bad ones, blank ones, one that is too long, and later versions of earlier records. */
  const linesOf = (records = RECORDS): string[] =>
    Array.from({ length: records }, (_, nth) => {
      const description = `${nth} ${DESCRIPTION}`;
      if (nth % 100 === 7) return `{"bad": "${DESCRIPTION}"}`;
      if (nth === 450) return 'y'.repeat(2_000_000);
      if (nth % 100 === 30) return '';
      const id = nth % 10 === 9 ? `p${nth - 5}` : `p${nth}`;
      return JSON.stringify(aProfile({ id, name: null, description }));
    });
  const fileOf = (name: string, content: string | Buffer): string => {
    const file = join(folder, name);
    writeFileSync(file, content);
    return file;
  };

  /** Starts an import and kills it when it has stored further lines. */
  async function kill(...args: string[]): Promise<void> {
    const before = await storedLines();
    const started = await BuiltProcess.start('cli.mjs', ['import', 'profiles', ...args], settings());
    await until('further lines are stored', async () => (await storedLines()) > before);
    started.signal('SIGKILL');
    await started.ended;
  }
  const reportsOf = async (...args: string[]): Promise<{ reports: Report[]; status: number | null; err: string }> => {
    const { status, out, err } = await runBuiltCommand(['import', 'profiles', ...args, '--json'], settings());
    return { status, err: withoutProgress(err), reports: JSON.parse(out) as Report[] };
  };
  const comparable = (report: Report | undefined) => ({ ...report, seconds: 0, resumed_after: 0 });

  it.each(['plain', 'gzip'])(
    'after each of several kill -9, stores and reports what an undisturbed import does (%s)',
    async (form) => {
      const text = linesOf().join('\n');
      const file = fileOf(`profiles.ndjson${form === 'gzip' ? '.gz' : ''}`, form === 'gzip' ? gzipSync(text) : text);
      const rejects = `${file}.rejected.ndjson`;
      const undisturbed = await reportsOf(file);
      expect(undisturbed.status).toBe(2);
      // Bad lines of a private file stay private.
      expect(statSync(rejects).mode & 0o777).toBe(0o600);
      const [expected, expectedRejects] = [await documents(), readFileSync(rejects, 'utf8')];
      expect(await progressRows()).toEqual([]);
      await removeAll(service());

      await kill(file);
      const first = await storedLines();
      expect((await documents()).length).toBeLessThan(expected.length);
      await kill(file, '--resume');
      // As if the kill had come while the rejects of the last batch were being written.
      appendFileSync(rejects, '{"line": 1');
      const second = await storedLines();
      expect(second).toBeGreaterThan(first);
      const { status, err, reports } = await reportsOf(file, '--resume');

      expect([status, err]).toEqual([2, `${file}: resuming after line ${second.toLocaleString('en')}\n`]);
      expect(reports[0]?.resumed_after).toBe(second);
      expect(reports.map(comparable)).toEqual(undisturbed.reports.map(comparable));
      expect(await documents()).toEqual(expected);
      expect(readFileSync(rejects, 'utf8')).toBe(expectedRejects);
      expect(await progressRows()).toEqual([]);
    },
  );

  it('of several files, skips loaded ones, and knows a file by its content', async () => {
    const first = fileOf('first.ndjson', JSON.stringify(aProfile({ id: 'first' })));
    const second = fileOf('second.ndjson', linesOf().join('\n'));
    const shared = join(folder, 'rejects.ndjson');
    const started = await BuiltProcess.start(
      'cli.mjs',
      ['import', 'profiles', first, second, '--rejects', shared],
      settings(),
    );
    await until('the second file is begun', async () => (await progressRows()).length === 2);
    started.signal('SIGKILL');
    await started.ended;
    const renamed = fileOf('renamed.ndjson', readFileSync(second));
    rmSync(second);
    const { reports } = await reportsOf(first, renamed, '--resume', '--rejects', shared);
    expect(reports).toMatchObject([
      { file: first, lines: 1, loaded: 1, resumed_after: 1 },
      { file: renamed, resumed_after: expect.any(Number), rejected_file: shared },
    ]);
    expect(reports[1]?.resumed_after).toBeGreaterThan(0);
    const rejected = readFileSync(shared, 'utf8').trim().split('\n');
    expect(rejected).toHaveLength((reports[1] as unknown as { rejected: number }).rejected);
  });

  it('starts a changed file at the beginning, and says so', async () => {
    const lines = linesOf();
    const file = fileOf('changed.ndjson', lines.join('\n'));
    await kill(file);
    writeFileSync(file, lines.slice(1).join('\n'));
    const { err, reports } = await reportsOf(file, '--resume');
    expect(err).toBe(`${file}: the file has changed since its import was interrupted: starting at the beginning\n`);
    expect(reports[0]).toMatchObject({ resumed_after: 0 });
    expect(await progressRows()).toEqual([]);
  });

  it('without the option, an interrupted import starts at the beginning', async () => {
    const file = fileOf('again.ndjson', linesOf().join('\n'));
    await kill(file);
    const { err, reports } = await reportsOf(file);
    expect([err, reports[0]?.resumed_after]).toEqual(['', 0]);
  });

  it('a stopped import names the option, and standard input says that it cannot be resumed', async () => {
    const file = fileOf('stopped.ndjson', linesOf().join('\n'));
    const started = await BuiltProcess.start('cli.mjs', ['import', 'profiles', file], settings());
    await until('lines are stored', async () => (await storedLines()) > 0);
    started.signal('SIGTERM');
    const { status, err } = await started.ended;
    expect([status, withoutProgress(err)]).toEqual([
      1,
      'Stopped. Every loaded batch is complete; run the same command with --resume to load the rest.\n',
    ]);

    const piped = await BuiltProcess.start('cli.mjs', ['import', 'profiles', '-', '--resume'], settings(), folder);
    piped.child.stdin?.end(JSON.stringify(aProfile()));
    const result = await piped.ended;
    expect([result.status, result.err]).toEqual([
      0,
      'standard input: only regular files can be resumed: starting at the beginning\n',
    ]);
  });

  it('starts at the beginning when nothing was interrupted', async () => {
    const file = fileOf('new.ndjson', JSON.stringify(aProfile()));
    const { status, out, err } = await run(file, '--resume');
    expect([status, err]).toEqual([
      0,
      `${file}: nothing of this file was stored by an interrupted import: starting at the beginning\n`,
    ]);
    expect(out).toContain('1 loaded in');
    expect(await runForJson(service().testDatabase, 'import', 'profiles', file)).toMatchObject([{ resumed_after: 0 }]);
  });

  it('says that its numbers are those of the whole file', async () => {
    const file = fileOf('all.ndjson', linesOf().join('\n'));
    await kill(file);
    const { out } = await run(file, '--resume');
    expect(out).toMatch(/: [\d,]+ loaded in all, resumed after line [\d,]+, in [\d.]+ s/);
  });

  it('says when the earlier rejects are gone', async () => {
    const file = fileOf('gone.ndjson', linesOf().join('\n'));
    await kill(file);
    await kill(file, '--resume');
    rmSync(`${file}.rejected.ndjson`);
    const { err } = await run(file, '--resume');
    expect(err).toContain(`earlier rejects are not in ${file}.rejected.ndjson, only those from now on`);
    expect(existsSync(`${file}.rejected.ndjson`)).toBe(true);
  });

  it('cannot be combined with a dry run, which stores nothing', async () => {
    const file = fileOf('dry.ndjson', JSON.stringify(aProfile()));
    const { status, err } = await run(file, '--resume', '--dry-run');
    expect([status, err]).toEqual([1, expect.stringContaining("'--resume' cannot be used with option '--dry-run'")]);
  });
});
