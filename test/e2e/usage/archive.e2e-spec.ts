import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { uniqueId } from '../../support/records/builders.js';
import { runInProcess, runForJson } from '../../support/service/command.js';
import { present } from '../../support/present.js';
import { describeService } from '../../support/service/test-service.js';
import { flushUsage } from '../../support/service/usage.js';

const NO_DATABASE = { url: 'sqlite:/dev/null/x' };
const LIVE = '/platforms/live_platform';

describeService('usage archive', (service) => {
  afterEach(() => service().clock.reset());

  const usage = (...args: string[]) => runInProcess(service().testDatabase, 'usage', ...args);
  const usageJson = (...args: string[]) => runForJson(service().testDatabase, 'usage', ...args);
  const checked = (folder: string, ...args: string[]) =>
    runForJson(NO_DATABASE, 'usage', 'archive', '--check', folder, ...args);
  const aPath = () => join(service().testDatabase.folder, 'archives', uniqueId());
  const daysOf = (month: string) => ['--from', `${month}-01`, '--to', `${month}-28`];

  /**
   * Creates two keys and an unknown caller with requests at the first and last instants of a February, and just outside
   * it.
   */
  const aMonth = async (month: string) => {
    const year = Number(month.slice(0, 4));
    const [a, b] = [await service().keys.create('Müller & Söhne', 1000), await service().keys.create('=1+1', 1000)];
    const get = async (time: string, path: string, key: string) => {
      service().clock.stopAt(Date.parse(`${time}Z`));
      await service().get(path, { 'x-api-key': key });
    };
    for (const { key } of [a, b]) {
      await get(`${year}-01-31T23:59:59.999`, `${LIVE}/content/none`, key);
      await get(`${month}-01T00:00:00`, `${LIVE}/content/none`, key);
      await get(`${month}-15T12:00:00`, `${LIVE}/content?limit=7`, key);
      await get(`${month}-28T23:59:59.999`, `${LIVE}/content/none`, key);
      await get(`${year}-03-01T00:00:00`, `${LIVE}/content/none`, key);
    }
    await get(`${month}-15T12:00:01`, `${LIVE}/profiles/none/analysis`, b.key);
    await get(`${month}-15T12:00:02`, '/usage', 'wrong');
    service().clock.reset();
    await flushUsage(service());
    return { a: a.id, b: b.id };
  };

  /** Archives a month. @returns the folder */
  const anArchive = async (month: string): Promise<string> => {
    await aMonth(month);
    const folder = aPath();
    await usageJson('archive', '--month', month, '--out', folder);
    return folder;
  };

  const unpacked = (folder: string, day: string): string =>
    gunzipSync(readFileSync(join(folder, `usage-${day}.ndjson.gz`))).toString('utf8');

  /** Changes the manifest and recomputes its checksum. */
  const reseal = (folder: string, change: (manifest: { files: { records: number }[]; version: number }) => void) => {
    const path = join(folder, 'manifest.json');
    const { sha256: _old, ...members } = JSON.parse(readFileSync(path, 'utf8'));
    change(members);
    const sha256 = createHash('sha256').update(JSON.stringify(members)).digest('hex');
    writeFileSync(path, JSON.stringify({ ...members, sha256 }));
  };

  describe('of a month', () => {
    it('holds exactly the lines of usage export, in one file a day', async () => {
      await aMonth('2021-02');
      const folder = aPath();
      const { files } = await usageJson('archive', '--month', '2021-02', '--out', folder);
      const days = Array.from({ length: 28 }, (_, nth) => `2021-02-${String(nth + 1).padStart(2, '0')}`);
      const names = [...days.map((day) => `usage-${day}.ndjson.gz`), 'manifest.json'];
      expect(files).toEqual(names.map((name) => join(folder, name)));
      expect(readdirSync(folder).toSorted()).toEqual(names.toSorted());
      const { out } = await usage('export', '--format', 'ndjson', ...daysOf('2021-02'));
      expect(out.trimEnd().split('\n')).toHaveLength(8);
      expect(days.map((day) => unpacked(folder, day)).join('')).toBe(out);
      expect(unpacked(folder, '2021-02-15').trimEnd().split('\n')).toHaveLength(4);
      expect(unpacked(folder, '2021-02-02')).toBe('');
    });

    it('has a manifest with each file’s size, checksum and sums, and the names of the keys', async () => {
      const { a, b } = await aMonth('2022-02');
      const folder = aPath();
      await usageJson('archive', '--month', '2022-02', '--out', folder);
      const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
      expect(manifest).toMatchObject({
        format: 'creator-data usage archive',
        version: 1,
        month: '2022-02',
        totals: { records: 8, quota_units: 118, credits: 0 },
      });
      expect(manifest.keys).toHaveLength(2);
      expect(manifest.keys).toEqual(
        expect.arrayContaining([
          { id: a, name: 'Müller & Söhne' },
          { id: b, name: '=1+1' },
        ]),
      );
      const packed = readFileSync(join(folder, 'usage-2022-02-28.ndjson.gz'));
      expect(manifest.files[27]).toEqual({
        name: 'usage-2022-02-28.ndjson.gz',
        bytes: packed.length,
        sha256: createHash('sha256').update(packed).digest('hex'),
        records: 2,
        quota_units: 2,
        credits: 0,
      });
    });

    it('is a folder of files that only their owner can read', async () => {
      const folder = await anArchive('2024-02');
      expect(statSync(folder).mode & 0o777).toBe(0o700);
      for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    });

    it('is summed up by --check, without a database, to the same units as usage summary', async () => {
      const folder = await anArchive('2023-02');
      for (const by of ['key', 'day', 'month', 'operation', 'key,operation']) {
        const { lines, totals } = await usageJson('summary', ...daysOf('2023-02'), '--by', by);
        expect(totals).toEqual({ requests: 8, quota_units: 118, credits: 0 });
        expect(await checked(folder, '--by', by)).toEqual({
          month: '2023-02',
          created_at: expect.stringMatching(/^20/),
          files: 28,
          lines,
          totals,
        });
      }
      const check = (...args: string[]) => runInProcess(NO_DATABASE, 'usage', 'archive', '--check', folder, ...args);
      expect((await check('--format', 'csv')).out).toBe(
        (await usage('summary', ...daysOf('2023-02'), '--format', 'csv')).out,
      );
      const { out, err } = await check();
      expect(out).toBe((await usage('summary', ...daysOf('2023-02'))).out);
      expect(err).toMatch(/is complete: 28 days of 2023-02, archived at 20.*\n$/);
    });

    it('still holds the usage after the records were pruned', async () => {
      const folder = await anArchive('2016-02');
      const january = aPath();
      await usageJson('archive', '--month', '2016-01', '--out', january);
      const before = await usageJson('summary', ...daysOf('2016-02'), '--by', 'key,operation');
      const archives = ['--archive', january, '--archive', folder];
      expect(
        (await usageJson('prune', '--before', '2016-03-01', ...archives, '--yes')).records_deleted,
      ).toBeGreaterThan(0);
      expect((await usage('export', '--json', ...daysOf('2016-02'))).out).toBe('');
      expect(await checked(folder, '--by', 'key,operation')).toMatchObject(before);
    });

    it('has empty files for days without requests', async () => {
      const folder = aPath();
      const { totals } = await usageJson('archive', '--month', '2000-12', '--out', folder);
      expect(totals).toEqual({ records: 0, quota_units: 0, credits: 0 });
      expect(await checked(folder)).toMatchObject({ files: 31, lines: [], totals: { requests: 0 } });
    });
  });

  describe('is not written, and leaves nothing behind,', () => {
    it('over any existing file or folder', async () => {
      const folder = await anArchive('2019-02');
      const manifest = readFileSync(join(folder, 'manifest.json'), 'utf8');
      const other = aPath();
      mkdirSync(other);
      writeFileSync(join(other, 'precious'), '');
      for (const there of [folder, other]) {
        const { status, out, err } = await usage('archive', '--month', '2019-02', '--out', there);
        expect([status, out]).toEqual([1, '']);
        expect(err).toBe(`${there} exists and is not empty: name a new folder\n`);
      }
      expect(readFileSync(join(folder, 'manifest.json'), 'utf8')).toBe(manifest);
      expect(readdirSync(other)).toEqual(['precious']);
      expect(readdirSync(dirname(folder)).filter((name) => name.includes('.part'))).toEqual([]);
    });

    it('for a month whose records were partly pruned', async () => {
      await aMonth('2015-02');
      await usageJson('prune', '--before', '2015-02-10', '--without-archive', '--yes');
      const folder = aPath();
      const { status, out, err } = await usage('archive', '--month', '2015-02', '--out', folder);
      expect([status, out]).toEqual([1, '']);
      expect(err).toMatch(/^2015-02 has 6 records, but 8 requests were billed: some were pruned.*\n$/);
      expect(readdirSync(dirname(folder)).filter((name) => name.startsWith(basename(folder)))).toEqual([]);
    });

    it('for a month that is not over', async () => {
      const month = new Date().toISOString().slice(0, 7);
      const folder = aPath();
      const { status, out, err } = await usage('archive', '--month', month, '--out', folder);
      expect([status, out]).toEqual([1, '']);
      expect(err).toMatch(
        /^\d{4}-\d\d is not over, and an archive is final: records can arrive until \d{4}-\d\d-01 00:01 UTC/,
      );
      expect(existsSync(folder)).toBe(false);
    });
  });

  describe('is reported as invalid by --check, in one line that names the file,', () => {
    /** @returns the output of --check for an invalid archive */
    const problemOf = async (folder: string): Promise<string> => {
      const { status, out, err } = await runInProcess(NO_DATABASE, 'usage', 'archive', '--check', folder);
      expect([status, out, err.match(/\n/g)?.length]).toEqual([1, '', 1]);
      expect(err.startsWith(folder)).toBe(true);
      return err.slice(folder.length + 1, -1);
    };

    it('when any byte of a file is changed', async () => {
      const folder = await anArchive('2012-02');
      const path = join(folder, 'usage-2012-02-15.ndjson.gz');
      const bytes = readFileSync(path);
      for (const at of [0, 9, bytes.length >> 1, bytes.length - 1]) {
        const changed = Buffer.from(bytes);
        changed.writeUInt8(bytes.readUInt8(at) ^ 1, at);
        writeFileSync(path, changed);
        expect(await problemOf(folder)).toMatch(/^usage-2012-02-15.ndjson.gz was changed: its checksum does not match/);
      }
    });

    it('when a file is missing or truncated', async () => {
      const folder = await anArchive('2011-02');
      const path = join(folder, 'usage-2011-02-02.ndjson.gz');
      truncateSync(path, 7);
      expect(await problemOf(folder)).toMatch(/^usage-2011-02-02.ndjson.gz has 7 bytes instead of \d+/);
      rmSync(path);
      expect(await problemOf(folder)).toBe('usage-2011-02-02.ndjson.gz is missing; use another copy of the archive');
    });

    it('when the manifest is missing, truncated, changed, of another kind or of a later version', async () => {
      const folder = await anArchive('2010-02');
      const path = join(folder, 'manifest.json');
      const text = readFileSync(path, 'utf8');
      truncateSync(path, text.length >> 1);
      expect(await problemOf(folder)).toMatch(/^manifest.json is truncated or was changed: it is not JSON/);
      writeFileSync(path, text.replace('Müller', 'Muller'));
      expect(await problemOf(folder)).toMatch(/^manifest.json was changed: its checksum does not match/);
      writeFileSync(path, '{"name": "x"}');
      expect(await problemOf(folder)).toMatch(/^manifest.json is not of a usage archive/);
      writeFileSync(path, text);
      reseal(folder, (manifest) => (manifest.version = 2));
      expect(await problemOf(folder)).toMatch(/^manifest.json has format 2, which this version cannot read/);
      rmSync(path);
      expect(await problemOf(folder)).toMatch(/^manifest.json does not exist/);
    });

    it('when the numbers of the manifest differ from the records', async () => {
      const folder = await anArchive('2009-02');
      const setRecords = (first: number, second: number) =>
        reseal(folder, ({ files }) => {
          present(files[0]).records = first;
          present(files[1]).records = second;
        });
      setRecords(2, 1);
      expect(await problemOf(folder)).toMatch(/^manifest.json: its totals are not the sums of its files/);
      setRecords(1, 1);
      expect(await problemOf(folder)).toMatch(
        /^usage-2009-02-01.ndjson.gz has 2 records, 2 units and 0 credits, but manifest.json says 1, 2 and 0/,
      );
    });
  });

  it.each([
    [
      [],
      /name --month and --out to create an archive, or --check to verify one; see "creator-data usage archive --help"/,
    ],
    [['--month', '2020-01'], /name --month and --out/],
    [['--month', '0026-10', '--out', 'x'], /It is before the year 2000/],
    [['--month', '1999-12', '--out', 'x'], /It is before the year 2000/],
    [['--month', '2020-13', '--out', 'x'], /must be a month, YYYY-MM/],
    [['--check', 'x', '--month', '2020-01'], /--check <folder>' cannot be used with option '--month/],
    [['--month', '2020-01', '--out', 'x', '--by', 'key'], /--by and --format need --check/],
    [['--check', 'x', '--by', 'week'], /one or two of key, day, month, operation/],
  ])('rejects %j', async (args, message) => {
    const { status, out, err } = await usage('archive', ...args);
    expect([status, out]).toEqual([1, '']);
    expect(err).toMatch(message);
  });

  it('prints the error as JSON with --json', async () => {
    const { status, out, err } = await runInProcess(NO_DATABASE, 'usage', 'archive', '--check', aPath(), '--json');
    expect([status, err]).toEqual([1, '']);
    expect(JSON.parse(out)).toEqual({
      error: { code: 'invalid_file', message: expect.stringMatching(/manifest.json does not exist/) },
    });
  });
});
