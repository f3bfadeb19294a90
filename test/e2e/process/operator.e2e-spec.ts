import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProfileEntity } from '../../../src/features/profiles/profile.entity.js';
import { openDatabase } from '../../../src/schema/open-database.js';
import { readConfig } from '../../../src/model/config.js';
import { UsageStore } from '../../../src/receipts/usage-store.js';
import { aProfile } from '../../support/records/builders.js';
import { runInProcess, withoutProgress } from '../../support/service/command.js';
import { createTestDatabase, DIALECTS, type TestDatabase } from '../../support/stores/test-database.js';
import { ROOT } from '../../support/files/project-root.js';
import { BuiltProcess, runBuiltCommand, type ProcessResult } from '../../support/process/processes.js';
import { withoutSqlCheck } from '../../support/sql/sql-list.js';
import { until } from '../../support/until.js';

const lines = (count: number): string[] => Array.from({ length: count }, () => JSON.stringify(aProfile()));
const textOf = (list: readonly string[]): string => list.map((line) => `${line}\n`).join('');

/** Usage whose export exceeds the buffer of any pipe. */
async function recordMany(database: TestDatabase): Promise<void> {
  const beside = await openDatabase(readConfig({ DATABASE_URL: database.url }).database);
  const record = {
    key_id: 'key',
    operation: 'usage.get',
    platform: null,
    status: 200,
    quota_units: 0,
    credits: 0,
    items_returned: 0,
    duration_ms: 1,
  } as const;
  try {
    for (let group = 0; group < 200; group += 1) {
      const records = Array.from({ length: 500 }, () => ({
        ...record,
        request_id: randomUUID(),
        occurred_at: Date.parse('2026-01-05') + group,
      }));
      await new UsageStore(beside).write([{ id: randomUUID(), day: 20260105, records }]);
    }
  } finally {
    await beside.close();
  }
}

const NO_DATABASE = { url: 'sqlite:/dev/null/x' };

describe('the program without a database', () => {
  it('is what `npm run cli` runs: a separate program that prints help', async () => {
    const { status, out, err } = await runBuiltCommand(['--help']);
    expect([status, err]).toEqual([0, '']);
    expect(out).toMatch(/Usage: creator-data .*migrate.*import.*keys.*usage.*forget/s);
  });

  it.each([
    [['migrate', '--help'], /--status.*--json/s],
    [
      ['import', '--help'],
      /profiles.*content.*games.*analysis.*audience.*socials.*emails.*--strict.*--rejects <file>.*--max-rejects <MB>.*--json/s,
    ],
    [['keys', 'create', '--help'], /--name <name>.*--rate-limit <n>.*--json/s],
    [['keys', 'list', '--help'], /--json/],
    [['keys', 'rotate', '--help'], /<id>.*--json/s],
    [['keys', 'revoke', '--help'], /<id>.*--json/s],
    [['keys', 'limit', '--help'], /<id>.*<n>.*--json/s],
    [['usage', 'export', '--help'], /--from <date>.*--to <date>.*--key <id>.*--format <format>.*--json/s],
    [['usage', 'summary', '--help'], /--by <what>.*--json/s],
    [['usage', 'prune', '--help'], /--before <date>.*--json/s],
    [['forget', '--help'], /<platform>.*<profile_id>.*--undo.*--json/s],
  ])('%j prints the usage of the command, with status 0', async (args, help) => {
    const { status, out, err } = await runInProcess(NO_DATABASE, ...args);
    expect([status, err]).toEqual([0, '']);
    expect(out).toMatch(help);
  });

  it.each([
    ['a command that does not exist', ['frobnicate'], /unknown command 'frobnicate'/],
    ['an option that does not exist', ['keys', 'list', '--all'], /unknown option '--all'/],
    ['an argument that is missing', ['import', 'profiles'], /missing required argument 'file'/],
    ['a kind that does not exist', ['import', 'people', 'x'], /must be one of profiles/i],
    ['a database that cannot be opened', ['keys', 'list'], /^[^\n]+\n$/],
  ])('exits with status 1 and the reason for %s', async (_, args, message) => {
    const { status, out, err } = await runInProcess(NO_DATABASE, ...args);
    expect([status, out]).toEqual([1, '']);
    expect(err).toMatch(message);
  });
});

describe.each(DIALECTS)('the program (%s)', (dialect) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase(dialect);
  });
  afterAll(() => database.drop());

  const run = (args: readonly string[], input: string | Buffer = ''): Promise<ProcessResult> =>
    runBuiltCommand(args, { DATABASE_URL: database.url }, input, database.folder);

  /** Counts the profiles in the database directly. */
  const countProfiles = async (): Promise<number> => {
    const beside = await openDatabase(readConfig({ DATABASE_URL: database.url }).database);
    try {
      return await withoutSqlCheck(() => beside.dataSource.getRepository(ProfileEntity).count());
    } finally {
      await beside.close();
    }
  };

  it('migrate brings the database up to date once; --status changes nothing', async () => {
    const pending = JSON.parse((await run(['migrate', '--status', '--json'])).out).pending;
    expect(pending.length).toBeGreaterThan(0);
    expect(JSON.parse((await run(['migrate', '--json'])).out)).toEqual({ applied: pending });
    expect(JSON.parse((await run(['migrate', '--json'])).out)).toEqual({ applied: [] });
    expect(JSON.parse((await run(['migrate', '--status', '--json'])).out)).toEqual({ pending: [] });
  });

  it('import of a file with bad lines loads the others, writes the bad ones beside the file and exits with status 2', async () => {
    const file = join(database.folder, 'some.ndjson');
    const before = await countProfiles();
    const [one, two] = lines(2);
    writeFileSync(file, textOf([one ?? '', 'no JSON', two ?? '', '{"id":"x"}']));
    const { status, out } = await run(['import', 'profiles', file, '--json']);
    expect(status).toBe(2);
    const rejectedFile = `${file}.rejected.ndjson`;
    expect(JSON.parse(out)).toEqual([
      {
        file,
        lines: 4,
        loaded: 2,
        rejected: 2,
        rejected_file: rejectedFile,
        rejects_omitted: 0,
        resumed_after: 0,
        reasons: [
          { reason: 'not JSON', lines: 1 },
          { reason: expect.stringMatching(/^platform_id /), lines: 1 },
        ],
        seconds: expect.any(Number),
      },
    ]);
    expect(await countProfiles()).toBe(before + 2);
    const rejected = readFileSync(rejectedFile, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rejected).toEqual(
      [
        { line: 2, reason: 'not JSON', text: 'no JSON' },
        {
          line: 4,
          reason:
            'platform_id must be one of live_platform, video_platform, photo_platform, short_platform, microblog_platform',
          text: '{"id":"x"}',
        },
      ].map((line) => ({ ...line, reason: expect.stringMatching(/^(not JSON|platform_id )/) })),
    );

    writeFileSync(file, textOf(lines(1)));
    const repaired = await run(['import', 'profiles', file]);
    expect([repaired.status, existsSync(rejectedFile)]).toEqual([0, false]);
    expect(repaired.out).toMatch(/^.*some\.ndjson: 1 loaded in [\d.]+ s \([\d,]+\/s\)\n$/);
  });

  it('import --strict stops at the first bad line with status 1 and one line, and stores nothing of its batch', async () => {
    const before = await countProfiles();
    const { status, err } = await run(['import', 'profiles', '-', '--strict'], textOf([...lines(3), 'no JSON']));
    expect([status, err]).toEqual([1, 'standard input: line 4: not JSON; nothing of it was loaded\n']);
    expect(await countProfiles()).toBe(before);
  });

  it('import reads standard input, .gz files and several files at once', async () => {
    const before = await countProfiles();
    expect((await run(['import', 'profiles', '-'], textOf(lines(3)))).status).toBe(0);
    const [packed, plain] = [join(database.folder, 'packed.ndjson.gz'), join(database.folder, 'plain.ndjson')];
    writeFileSync(packed, gzipSync(textOf(lines(4))));
    writeFileSync(plain, textOf(lines(5)));
    const { status, out } = await run(['import', 'profiles', packed, plain, '--json']);
    expect([status, JSON.parse(out).map(({ loaded }: { loaded: number }) => loaded)]).toEqual([0, [4, 5]]);
    expect(await countProfiles()).toBe(before + 12);
  });

  it('import of a missing or corrupt gzip file fails with status 1 and one line', async () => {
    const broken = join(database.folder, 'broken.ndjson.gz');
    writeFileSync(broken, textOf(lines(1)));
    for (const file of [join(database.folder, 'nowhere.ndjson'), broken]) {
      const { status, out, err } = await run(['import', 'profiles', file]);
      expect([status, out, err.match(/\n/g)?.length]).toEqual([1, '', 1]);
    }
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'import stopped by %s in the middle exits with status 1; the same command run again completes it',
    async (signal) => {
      const before = await countProfiles();
      const all = lines(12_000);
      const importing = await BuiltProcess.start(
        'cli.mjs',
        ['import', 'profiles', '-'],
        { DATABASE_URL: database.url },
        database.folder,
      );
      // Half of the input is sent, so that the signal arrives while the import waits for the rest.
      importing.child.stdin?.write(textOf(all.slice(0, 9000)));
      await until('the first batch is stored', async () => (await countProfiles()) > before);
      importing.signal(signal);
      const { status, out, err } = await importing.ended;
      expect([status, out, withoutProgress(err)]).toEqual([
        1,
        '',
        'Stopped. Every loaded batch is complete; run the same command again to load all lines: only regular files can be resumed.\n',
      ]);
      const loaded = (await countProfiles()) - before;
      expect(loaded).toBeGreaterThan(0);
      expect(loaded).toBeLessThanOrEqual(9000);

      const again = await run(['import', 'profiles', '-', '--json'], textOf(all));
      expect([again.status, JSON.parse(again.out)[0].loaded]).toEqual([0, 12_000]);
      expect(await countProfiles()).toBe(before + 12_000);
    },
  );

  it('usage export exits quietly when its reader stops, as `head` does, and with one line when writing fails', async () => {
    const args = 'usage export --from 2026-01-01 --to 2026-01-31';
    await recordMany(database);
    const script = '{ "$NODE" "$CLI" $ARGS; echo "status $?" >&2; } | head -c 10 > /dev/null';
    const shell = spawnSync('sh', ['-c', script], {
      env: { NODE: process.execPath, CLI: join(ROOT, 'dist/bundle/cli.mjs'), ARGS: args, DATABASE_URL: database.url },
      encoding: 'utf8',
    });
    expect(shell.stderr).toBe('status 0\n');

    const full = spawnSync('sh', ['-c', '"$NODE" "$CLI" $ARGS > /dev/full'], {
      env: { NODE: process.execPath, CLI: join(ROOT, 'dist/bundle/cli.mjs'), ARGS: args, DATABASE_URL: database.url },
      encoding: 'utf8',
    });
    expect([full.status, full.stderr]).toEqual([
      1,
      expect.stringMatching(/^cannot write to standard output: .*ENOSPC.*\n$/),
    ]);

    const exporting = await BuiltProcess.start('cli.mjs', args.split(' '), { DATABASE_URL: database.url });
    exporting.child.stdout?.once('data', () => exporting.child.stdout?.destroy());
    expect(await exporting.ended).toMatchObject({ status: 0, err: '' });
  });

  it('keys create says how to get a key that it could not print', () => {
    const creating = spawnSync('sh', ['-c', '"$NODE" "$CLI" keys create --name unprinted > /dev/full'], {
      env: { NODE: process.execPath, CLI: join(ROOT, 'dist/bundle/cli.mjs'), DATABASE_URL: database.url },
      encoding: 'utf8',
    });
    expect(creating.status).toBe(1);
    expect(creating.stderr).toMatch(
      /^the key of "unprinted" is stored, but was not printed: run "creator-data keys rotate key_\w+"$/m,
    );
    expect(creating.stderr).not.toContain('This is the key');
  });

  it('forget removes a creator, rejects later lines about them with status 2, and --undo permits them again', async () => {
    const profile = aProfile();
    const load = async () =>
      (await run(['import', 'profiles', '-', '--json'], textOf([JSON.stringify(profile)]))).status;
    expect(await load()).toBe(0);
    const { status, out } = await runInProcess(database, 'forget', 'live_platform', profile.id, '--yes', '--json');
    expect([status, JSON.parse(out).removed.profiles]).toEqual([0, 1]);
    expect(await load()).toBe(2);
    expect((await runInProcess(database, 'forget', 'live_platform', profile.id, '--undo')).status).toBe(0);
    expect((await runInProcess(database, 'forget', 'live_platform', profile.id, '--undo')).status).toBe(1);
    expect(await load()).toBe(0);
  });
});
