import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { aProfile, uniqueId } from '../../support/records/builders.js';
import { runInProcess, runForJson } from '../../support/service/command.js';
import { loadOneOfEach } from '../../support/openapi/operations.js';
import { describeService } from '../../support/service/test-service.js';
import { HAS_TERMINAL, runOnTerminal } from '../../support/process/terminal.js';
import { exportedRecords, flushUsage } from '../../support/service/usage.js';

const today = (): string => new Date().toISOString().slice(0, 10);
const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

describeService('a command that deletes', (service) => {
  afterEach(() => service().clock.reset());
  const run = (...args: string[]) => runInProcess(service().testDatabase, ...args);
  const profilePath = (id: string) => `/platforms/live_platform/profiles/${id}`;
  const statusOf = async (id: string) => (await service().get(profilePath(id))).status;
  const settings = () => ({ DATABASE_URL: service().testDatabase.url, DATA_DIR: service().testDatabase.folder });

  /** Records one request on a day of its own. */
  const recordedOn = async (day: string) => {
    service().clock.stopAt(Date.parse(`${day}T12:00:00Z`));
    await service().get('/usage');
    service().clock.reset();
    await flushUsage(service());
  };

  it('prune deletes nothing without a terminal or --yes', async () => {
    await recordedOn('2023-01-05');
    const { status, out, err } = await run('usage', 'prune', '--before', '2023-02-01', '--without-archive');
    expect([status, out]).toEqual([1, '']);
    expect(err).toMatch(/^this deletes records: run it with --dry-run .* with --yes\n$/);
    expect(await exportedRecords(service(), '--from', '2023-01-05', '--to', '2023-01-05')).toHaveLength(1);
  });

  it('prune --dry-run prints what it would delete, and deletes nothing', async () => {
    await recordedOn('2022-01-05');
    await recordedOn('2022-01-07');
    const report = await runForJson(service().testDatabase, 'usage', 'prune', '--before', '2022-02-01', '--dry-run');
    expect(report).toEqual({
      before: '2022-02-01',
      dry_run: true,
      groups_deleted: 2,
      records_deleted: 2,
      first_day: '2022-01-05',
      last_day: '2022-01-07',
    });
    expect(await exportedRecords(service(), '--from', '2022-01-01', '--to', '2022-01-31')).toHaveLength(2);
    expect(
      await runForJson(
        service().testDatabase,
        'usage',
        'prune',
        '--before',
        '2022-02-01',
        '--without-archive',
        '--yes',
      ),
    ).toMatchObject({ records_deleted: 2 });
    expect(await exportedRecords(service(), '--from', '2022-01-01', '--to', '2022-01-31')).toEqual([]);
  });

  it('prune rejects a future date in any combination of options, and accepts today', async () => {
    await service().get('/usage');
    const before = (await exportedRecords(service())).length;
    for (const option of ['--yes', '--dry-run']) {
      const { status, err } = await run('usage', 'prune', '--before', tomorrow(), option);
      expect([status, err]).toEqual([
        1,
        expect.stringMatching(/is in the future, which would delete every record: name \d/),
      ]);
    }
    expect((await exportedRecords(service())).length).toBeGreaterThanOrEqual(before);
    expect((await run('usage', 'prune', '--before', today(), '--dry-run')).status).toBe(0);
  });

  it('forget removes nothing without a terminal or --yes', async () => {
    const id = await loadOneOfEach(service());
    const { status, err } = await run('forget', 'live_platform', id);
    expect([status, err]).toEqual([1, expect.stringContaining('then with --yes')]);
    expect(await statusOf(id)).toBe(200);
  });

  it('forget --dry-run prints what it would remove, and removes nothing', async () => {
    const id = await loadOneOfEach(service());
    const report = await runForJson(service().testDatabase, 'forget', 'live_platform', id, '--dry-run');
    expect(report).toMatchObject({ dry_run: true, forgotten: false });
    expect(await statusOf(id)).toBe(200);
    const done = await runForJson(service().testDatabase, 'forget', 'live_platform', id, '--yes');
    expect(done).toMatchObject({ dry_run: false, forgotten: true, removed: report.removed });
    expect(done.removed).toEqual({ profiles: 1, content: 1, documents: 4, history: 1, links: 0 });
    expect(await statusOf(id)).toBe(404);
  });

  it('forget names the ID of a creator who is named by the handle', async () => {
    const id = uniqueId();
    await service().load('profiles', aProfile({ id, name: `Mara_${id}` }));
    const { status, err } = await run('forget', 'live_platform', `@mara_${id}`, '--yes');
    expect([status, err]).toEqual([
      1,
      `nothing is stored about live_platform @mara_${id}: it is the handle of ${id}: name the ID\n`,
    ]);
    expect(await statusOf(id)).toBe(200);
  });

  it('forget fails for an unknown creator; --unknown suppresses later lines', async () => {
    const id = uniqueId();
    const { status, out, err } = await run('forget', 'live_platform', id, '--yes');
    expect([status, out]).toEqual([1, '']);
    expect(err).toMatch(new RegExp(`^nothing is stored about live_platform ${id}: check .*add --unknown .*\n$`));
    const profile = aProfile({ id });
    await service().load('profiles', profile);
    expect(await statusOf(id)).toBe(200);

    const other = uniqueId();
    expect((await run('forget', 'live_platform', other, '--unknown')).status).toBe(0);
    const { rejected } = await service().loadLines('profiles', [JSON.stringify(aProfile({ id: other }))]);
    expect(rejected.map(({ reason }) => reason)).toEqual(['suppressed: about a forgotten creator']);
    // The second call is a no-op.
    expect((await run('forget', 'live_platform', other)).out).toMatch(/Later lines have been rejected since 20/);
  });

  it('import --dry-run checks every line, prints the most frequent reasons, and writes nothing', async () => {
    const forgotten = uniqueId();
    await run('forget', 'live_platform', forgotten, '--unknown');
    const good = aProfile();
    const link = { ...aProfile(), statistics: { followers: 'many', views_estimated: 1 } };
    const file = join(service().testDatabase.folder, `dry-${uniqueId()}.ndjson`);
    const lines = [good, aProfile({ id: forgotten }), link, link].map((line) => JSON.stringify(line));
    writeFileSync(file, [...lines, 'no JSON', 'no JSON', 'no JSON'].join('\n'));
    const { status, out } = await run('import', 'profiles', file, '--dry-run', '--json');
    expect(status).toBe(2);
    expect(JSON.parse(out)).toEqual([
      {
        file,
        lines: 7,
        loaded: 1,
        rejected: 6,
        resumed_after: 0,
        rejected_file: null,
        rejects_omitted: 0,
        reasons: [
          { reason: 'not JSON', lines: 3 },
          { reason: expect.stringMatching(/^statistics\.followers /), lines: 2 },
          { reason: 'suppressed: about a forgotten creator', lines: 1 },
        ],
        seconds: expect.any(Number),
      },
    ]);
    expect(await statusOf(good.id)).toBe(404);
    expect(existsSync(`${file}.rejected.ndjson`)).toBe(false);
    const people = await run('import', 'profiles', file, '--dry-run');
    expect(people.out).toMatch(/: 1 would load, 6 would be rejected\n {2}3 × not JSON\n {2}2 × statistics\.followers /);
  });

  if (HAS_TERMINAL) {
    it('asks on a terminal, and deletes only after "yes"', async () => {
      await recordedOn('2021-01-05');
      const prune = (typed: string) =>
        runOnTerminal(['usage', 'prune', '--before', '2021-02-01', '--without-archive'], settings(), typed);
      const left = () => exportedRecords(service(), '--from', '2021-01-05', '--to', '2021-01-05');
      const refused = await prune('n');
      expect(refused.shown).toMatch(/Delete 1 record of 2021-01-05 to 2021-01-05\?.*Nothing was deleted/s);
      expect([refused.status, (await left()).length]).toEqual([1, 1]);
      expect([(await prune('yes')).status, (await left()).length]).toEqual([0, 0]);
    });
  }
});
