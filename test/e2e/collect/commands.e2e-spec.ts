import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { BlueskyServer } from '../../support/collect/bluesky-server.js';
import { runWithSettings } from '../../support/collect/collect-command.js';
import { removeCollected } from '../../support/collect/remove-collected.js';
import { YoutubeServer } from '../../support/collect/youtube-server.js';
import { removeAll } from '../../support/lists/lists.js';
import { aProfile } from '../../support/records/builders.js';
import { describeService } from '../../support/service/test-service.js';

describeService('the commands of collect', (service) => {
  let youtube: YoutubeServer;
  let bluesky: BlueskyServer;
  let files = 0;

  beforeEach(async () => {
    [youtube, bluesky] = [new YoutubeServer(), new BlueskyServer()];
    await youtube.start();
    await bluesky.start();
    await removeAll(service());
    await removeCollected(service().database);
  });
  afterEach(async () => {
    await youtube.stop();
    await bluesky.stop();
  });

  const inFolder = (name: string) => join(service().testDatabase.folder, name);
  const write = (text: string, extension = 'ndjson'): string => {
    const file = inFolder(`commands-${(files += 1)}.${extension}`);
    writeFileSync(file, text);
    return file;
  };
  const watch = (ids: readonly string[], members: object = {}) =>
    write(ids.map((id) => `${JSON.stringify({ platform_id: 'video_platform', id, ...members })}\n`).join(''));
  const settings = () => ({ ...youtube.environment, ...bluesky.environment });
  const run = (...args: readonly string[]) => runWithSettings(service().testDatabase, settings(), 'collect', ...args);
  const runJson = async (...args: readonly string[]) => JSON.parse((await run(...args, '--json')).out);

  it('plan prints calls and units, and they are what a run then spends', async () => {
    const file = watch(youtube.add(6, { videos: 50 }));
    const { plans } = await runJson('plan', 'youtube', '--watch', file);
    expect(plans).toEqual([
      {
        source: 'youtube',
        creators: 6,
        first_calls: 13,
        first_units: 13,
        calls_per_day: 13,
        units_per_day: 13,
        budget: 8000,
        max_calls_per_day: 864_000,
        fits: true,
      },
    ]);
    expect(await runJson('youtube', '--watch', file)).toMatchObject({ calls: { sent: 13 }, units: 13, rejected: 0 });
    const { out } = await run('plan', '--watch', file);
    expect(out).toMatch(/source +creators .*\ntwitch +0 .*\nyoutube +6 +13 +13 /);
  });

  it('plan refuses what the budget does not hold, and says what to do', async () => {
    const file = watch(youtube.add(10), { every: '6h' });
    const { status, err } = await run('plan', 'youtube', '--watch', file, '--budget', '83');
    expect([status, err]).toEqual([
      1,
      'youtube needs 84 units a day, and the budget is 83: lengthen "every", or raise --budget\n',
    ]);
    expect((await run('plan', 'youtube', '--watch', file, '--budget', '84')).status).toBe(0);
  });

  it('says so if there is nobody to ask about', async () => {
    const file = watch(youtube.add(1));
    const [listed, known] = [await run('bluesky', '--watch', file), await run('bluesky', '--known')];
    expect([listed.status, listed.err]).toEqual([0, `${file} names nobody of microblog_platform.\n`]);
    expect(known.err).toBe('No profile of microblog_platform is stored whose ID bluesky knows.\n');
  });

  it('status prints who is due and gone, and what was spent, with and without the watch list', async () => {
    const [id = '', other = ''] = youtube.add(2);
    const gone = `UC${'z'.repeat(22)}`;
    await run('youtube', '--watch', watch([id, gone]));
    const { sources } = await runJson('status', 'youtube');
    expect(sources).toEqual([
      {
        source: 'youtube',
        creators: 2,
        due: 0,
        late: 0,
        gone: 0,
        missing: 1,
        failing: 0,
        kept_too_long: 0,
        gone_creators: [],
        spent_today: { calls: 3, units: 3 },
      },
    ]);
    const { out } = await run('status', 'youtube', '--watch', watch([id, other]));
    expect(out).toBe('youtube: 2 creators: 1 due, 0 late, 0 missing, 0 gone; today 3 calls, 3 units\n');
  });

  it('status without a list says how to name one while nobody was asked about', async () => {
    const { out } = await run('status');
    expect(out).toContain('Nobody was asked about yet: name the creators with --watch FILE or --known.\n');
  });

  it('asks about all stored profiles of the platform with --known', async () => {
    const [id = ''] = youtube.add(1);
    const [did = ''] = bluesky.add(1);
    await service().load(
      'profiles',
      aProfile({ platform_id: 'video_platform', id }),
      aProfile({ platform_id: 'microblog_platform', id: did }),
      aProfile({ platform_id: 'microblog_platform', id: '12345' }),
    );
    expect(await runJson('youtube', '--known')).toMatchObject({ creators: { creators: 1, due: 0 } });
    // The other one is of another network.
    expect(await runJson('bluesky', '--known')).toMatchObject({ creators: { creators: 1, due: 0 } });
  });

  it('does not ask about a creator who was forgotten', async () => {
    const ids = youtube.add(2);
    const file = watch(ids, { every: '10m' });
    await run('youtube', '--watch', file);
    const forget = (...options: readonly string[]) =>
      runWithSettings(service().testDatabase, {}, 'forget', 'video_platform', ids[0] ?? '', ...options);
    await forget('--yes');
    const { sources } = await runJson('status', 'youtube');
    expect(sources).toMatchObject([{ creators: 1 }]);
    expect(await runJson('youtube', '--watch', file)).toMatchObject({ calls: { sent: 0 }, creators: { creators: 1 } });
    await forget('--undo');
  });

  it('asks nothing more about somebody named by a handle once the ID shows that they were forgotten', async () => {
    const [id = '', other = ''] = bluesky.add(2);
    const handles = [id, other].map((each) => bluesky.actors.get(each)?.handle);
    const lines = handles.map((handle) => `${JSON.stringify({ platform_id: 'microblog_platform', handle })}\n`);
    await runWithSettings(service().testDatabase, {}, 'forget', 'microblog_platform', id, '--unknown', '--yes');
    const file = write(lines.join(''));
    // Who they are, and the posts of the other.
    expect(await runJson('bluesky', '--watch', file)).toMatchObject({ calls: { sent: 2 }, creators: { creators: 1 } });
    const { sources } = await runJson('status', 'bluesky');
    expect(sources).toMatchObject([{ creators: 1, due: 0 }]);
    expect((await service().get(`/platforms/microblog_platform/profiles/${id}`)).status).toBe(404);
    await runWithSettings(service().testDatabase, {}, 'forget', 'microblog_platform', id, '--undo');
  });

  it('saves the responses with --keep, as files that ingest reads, and writes metrics', async () => {
    const file = watch(youtube.add(2));
    const [keep, metrics] = [inFolder(`keep-${files}`), inFolder(`collect-${files}.prom`)];
    const report = await runJson('youtube', '--watch', file, '--keep', keep, '--metrics', metrics);
    const saved = readdirSync(keep).map((name) => join(keep, name));
    expect(saved).toHaveLength(1);
    await removeAll(service());
    const { status, out } = await runWithSettings(service().testDatabase, {}, 'ingest', 'auto', ...saved, '--json');
    expect([status, JSON.parse(out).records]).toEqual([0, { content: 6, profiles: 2 }]);
    expect(report.records).toMatchObject({ content: 6 });
    const text = readFileSync(metrics, 'utf8');
    expect(text).toContain('creator_data_collect_calls_total{source="youtube",outcome="answered"} 4');
    expect(text).toContain('creator_data_collect_running{source="youtube"} 0');
    for (const each of [...saved, metrics]) expect(readFileSync(each, 'utf8')).not.toContain(youtube.key);
  });

  it('counts the creators in the metrics of a run that fails', async () => {
    const file = watch(youtube.add(2));
    await run('youtube', '--watch', file);
    const metrics = inFolder('failed.prom');
    youtube.override = () => ({ status: 401, body: { error: { code: 401 } } });
    const other = watch(youtube.add(1));
    expect((await run('youtube', '--watch', other, '--metrics', metrics)).status).toBe(1);
    const text = readFileSync(metrics, 'utf8');
    expect(text).toContain('creator_data_collect_creators{source="youtube",state="watched"} 1');
    expect(text).toContain('creator_data_collect_creators{source="youtube",state="due"} 1');
  });

  it('notes a run in the audit log', async () => {
    const file = watch(youtube.add(1));
    await run('youtube', '--watch', file);
    const { out } = await runWithSettings(service().testDatabase, {}, 'audit', 'list', '--json');
    const entries = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)) as { command: string; outcome: string }[];
    const own = JSON.stringify(entries).match(/collect youtube/g) ?? [];
    expect(own.length).toBeGreaterThanOrEqual(2);
    expect(out).not.toContain(youtube.key);
  });

  it.each([
    ['nobody named', ['youtube'], 'name whom to collect: --watch FILE, or --known for all stored profiles'],
    ['both named', ['youtube', '--known', '--watch', 'x'], 'name whom to collect'],
    ['a file that is missing', ['youtube', '--watch', '/no/such'], '/no/such does not exist'],
    ['no such source', ['plan', 'vimeo', '--known'], "'vimeo' is invalid"],
    ['an interval of 1m', ['youtube', '--known', '--every', '1m'], 'It must be a duration from 10m to 365d'],
    [
      'an interval beyond the retention',
      ['youtube', '--known', '--every', '60d'],
      'must not be longer than the 30.0 d',
    ],
    ['a budget of nothing', ['youtube', '--known', '--budget', '0'], 'It must be a whole number'],
    ['a budget of all sources', ['plan', '--known', '--budget', '5'], '--budget is of one source'],
  ])('rejects %s with one line', async (_name, args, message) => {
    const { status, out, err } = await run(...args);
    expect([status, out]).toEqual([1, '']);
    expect(err).toContain(message);
    expect(err.trimEnd()).not.toContain('\n');
  });

  it.each([
    ['YOUTUBE_API_KEY', '', 'youtube', 'collect youtube needs YOUTUBE_API_KEY: see docs/collecting.md'],
    ['YOUTUBE_API_KEY', 'a\u{e4}b', 'youtube', 'YOUTUBE_API_KEY must be ASCII without spaces'],
    ['YOUTUBE_API_URL', 'ftp://x', 'youtube', 'YOUTUBE_API_URL must be an http or https URL'],
    ['BLUESKY_API_URL', 'https://user:secret@host', 'bluesky', 'BLUESKY_API_URL must be an http or https URL'],
    ['BLUESKY_API_URL', 'https://:secret@host', 'bluesky', 'BLUESKY_API_URL must be an http or https URL'],
    ['BLUESKY_API_URL', 'https://host/xrpc#secret', 'bluesky', 'BLUESKY_API_URL must be an http or https URL'],
    ['TWITCH_CLIENT_SECRET', '', 'twitch', 'collect twitch needs TWITCH_CLIENT_ID and TWITCH_CLIENT_SECRET'],
  ])('rejects the setting %s=%j with one line, without the value', async (name, value, source, message) => {
    const all = { ...settings(), [name]: value };
    const { status, err } = await runWithSettings(service().testDatabase, all, 'collect', source, '--known');
    expect([status, err]).toEqual([1, expect.stringContaining(message)]);
    expect(err).not.toContain(value === '' ? 'SECRET=' : value);
  });

  it('names the line of a watch list that it cannot use', async () => {
    const file = write('platform_id,id\nvideo_platform,UC1\n', 'csv');
    const { status, err } = await run('youtube', '--watch', file);
    expect([status, err]).toEqual([1, `${file}: line 2: id must be the ID of a channel: UC and 22 characters\n`]);
  });
});
