import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { aProfile, uniqueId } from '../../support/records/builders.js';
import { runInProcess, runForJson } from '../../support/service/command.js';
import { describeService } from '../../support/service/test-service.js';
import { toNdjson } from '../../support/sources/sources.js';
import { withoutSqlCheck } from '../../support/sql/sql-list.js';

const HELIX = 'https://api.twitch.tv/helix';

/** A response with its request. */
const response = (path: string, fetched_at: string, ...data: readonly object[]) => ({
  url: `${HELIX}/${path}`,
  fetched_at,
  body: { data, pagination: {} },
});

const user = (id: string, given: object = {}) => ({
  id,
  login: `login_${id}`,
  display_name: `Login_${id}`,
  type: '',
  broadcaster_type: 'partner',
  description: 'Plays',
  profile_image_url: '',
  offline_image_url: '',
  view_count: 0,
  created_at: '2016-12-14T20:32:28.894263Z',
  ...given,
});

const stream = (id: string, userId: string, viewer_count: number, game_id = 'g1', game_name = 'One') => ({
  id,
  user_id: userId,
  user_login: `login_${userId}`,
  user_name: `Login_${userId}`,
  game_id,
  game_name,
  type: 'live',
  title: 'Live',
  tags: null,
  viewer_count,
  started_at: '2026-01-31T09:00:00Z',
  language: 'en',
  thumbnail_url: '',
  tag_ids: [],
  is_mature: false,
});

const followers = (id: string, at: string, total: number) => ({
  url: `${HELIX}/channels/followers?broadcaster_id=${id}`,
  fetched_at: at,
  body: { total, data: [], pagination: {} },
});

const T1 = '2026-01-31T09:30:00Z';
const T2 = '2026-01-31T09:40:00Z';

describeService('native data', (service) => {
  let folders = 0;
  const aFolder = () => {
    const folder = join(service().testDatabase.folder, `native-${(folders += 1)}`);
    mkdirSync(folder);
    return folder;
  };
  const aFile = (...documents: readonly unknown[]) => {
    const file = join(aFolder(), 'in.ndjson');
    writeFileSync(file, toNdjson(...documents));
    return file;
  };
  const run = (...args: string[]) => runInProcess(service().testDatabase, ...args);
  const json = (...args: string[]) => runForJson(service().testDatabase, ...args);
  const profileNow = async (id: string) =>
    (await service().get(`/platforms/live_platform/profiles/${id}`)).body.payload;
  const contentNow = async (id: string) => (await service().get(`/platforms/live_platform/content/${id}`)).body.payload;

  it('parts of a profile from several calls, and viewer statistics of a stream, are ingested and served', async () => {
    const [id, live] = [uniqueId(), uniqueId()];
    const report = await json(
      'ingest',
      'twitch',
      aFile(
        response('streams', T2, stream(live, id, 200, 'g2', 'Two')),
        followers(id, T1, 1234),
        response('users', T1, user(id)),
        response('streams', T1, stream(live, id, 100)),
      ),
    );
    expect(report).toMatchObject({ read: 4, mapped: 4, rejected: 0, records: { content: 1, profiles: 1 }, updated: 0 });
    expect(await profileNow(id)).toMatchObject({
      name: `login_${id}`,
      description: 'Plays',
      language: 'en',
      statistics: { followers: 1234, views_estimated: null },
      account_type: 'partner',
      updated_at: '2026-01-31T09:40:00.000Z',
      last_active_at: '2026-01-31T09:40:00.000Z',
    });
    expect(await contentNow(live)).toMatchObject({
      type: 'stream',
      statistics: { viewers: { avg: 150, max: 200 }, watched_minutes: { sum: 1000 } },
      categories: [
        { id: 'g1', name: 'One' },
        { id: 'g2', name: 'Two' },
      ],
      profile_id: id,
    });
  });

  it('snapshots of several runs add up in any order', async () => {
    for (const times of [
      [T1, T2],
      [T2, T1],
    ]) {
      const [id, live] = [uniqueId(), uniqueId()];
      for (const at of times) {
        await json('ingest', 'twitch', aFile(response('streams', at, stream(live, id, at === T1 ? 100 : 200))));
      }
      expect((await contentNow(live)).statistics).toEqual({
        viewers: { avg: 150, max: 200 },
        watched_minutes: { sum: 1000 },
      });
    }
  });

  it('a later run changes the members it contains, and keeps the rest', async () => {
    const id = uniqueId();
    await json('ingest', 'twitch', aFile(response('users', T1, user(id)), followers(id, T1, 10)));
    const report = await json('ingest', 'twitch', aFile(followers(id, T2, 11)));
    expect(report).toMatchObject({ records: { profiles: 1 }, updated: 1 });
    expect(await profileNow(id)).toMatchObject({ description: 'Plays', statistics: { followers: 11 } });
  });

  it('an older response fills gaps and overwrites nothing newer', async () => {
    const id = uniqueId();
    await json('ingest', 'twitch', aFile(response('users', T2, user(id, { description: '' }))));
    await json('ingest', 'twitch', aFile(response('users', T1, user(id)), followers(id, T1, 10)));
    expect(await profileNow(id)).toMatchObject({
      description: null,
      statistics: { followers: 10 },
      updated_at: '2026-01-31T09:40:00.000Z',
    });
  });

  it('ingest completes an imported record, and an import replaces it again', async () => {
    const id = uniqueId();
    const imported = aProfile({ id, description: 'imported', language: 'de' });
    await service().load('profiles', imported);
    await json('ingest', 'twitch', aFile(response('users', T1, user(id))));
    expect(await profileNow(id)).toMatchObject({ description: 'Plays', language: 'de' });
    await service().load('profiles', imported);
    expect(await profileNow(id)).toEqual(imported);
    // The import also removes the observation times, so a response of the same time is applied again.
    await json('ingest', 'twitch', aFile(response('users', T1, user(id))));
    expect(await profileNow(id)).toMatchObject({ description: 'Plays' });
  });

  it('categories get the matching game of the loaded games', async () => {
    const [id, live, game] = [uniqueId(), uniqueId(), uniqueId()];
    const details = { id: game, name: 'Official', slug: 'official', live_platform_id: `t${game}` };
    await service().load('games', details);
    await json('ingest', 'twitch', aFile(response('streams', T1, stream(live, id, 1, `t${game}`))));
    expect((await contentNow(live)).categories).toEqual([
      {
        id: `t${game}`,
        type: 'live_platform_game',
        name: 'One',
        gamedb_id: Number(game),
        gamedb_name: 'Official',
        gamedb_slug: 'official',
      },
    ]);
  });

  it('chapters get the loaded game with their title', async () => {
    const [id, game] = [uniqueId(), uniqueId()];
    await service().load('games', { id: game, name: `Quest ${game}`, slug: 'quest', live_platform_id: `t${game}` });
    const chapters = [{ start_time: 0, title: `QUEST ${game}` }];
    await json('ingest', 'auto', aFile({ id: `v${id}`, extractor_key: 'TwitchVod', title: 'x', chapters }));
    const [chapter] = (await contentNow(id)).chapters;
    expect(chapter.categories).toMatchObject([{ id: `t${game}`, gamedb_name: `Quest ${game}` }]);
  });

  it('a record of a forgotten creator is rejected', async () => {
    const [id, live] = [uniqueId(), uniqueId()];
    await run('forget', 'live_platform', id, '--unknown');
    const file = aFile(response('users', T1, user(id)), response('streams', T1, stream(live, id, 1)));
    const { status, out } = await run('ingest', 'twitch', file, '--json');
    expect([status, JSON.parse(out)]).toMatchObject([2, { rejected: 2, records: {} }]);
    const rejects = readFileSync(`${file}.rejected.ndjson`, 'utf8').trimEnd().split('\n');
    expect(rejects.map((line) => JSON.parse(line))).toMatchObject([
      { reason: 'suppressed: about a forgotten creator' },
      { reason: 'suppressed: about a forgotten creator' },
    ]);
    expect((await service().get(`/platforms/live_platform/content/${live}`)).status).toBe(404);
  });

  it('forget removes the observations of the creator', async () => {
    const [id, live] = [uniqueId(), uniqueId()];
    await json('ingest', 'twitch', aFile(response('streams', T1, stream(live, id, 1))));
    await run('forget', 'live_platform', id, '--yes');
    const rows = await withoutSqlCheck(() => service().database.dataSource.query('SELECT id FROM observations'));
    const ids = (rows as { id: Buffer | string }[]).map((row) => String(row.id));
    expect(ids).not.toContain(id);
    expect(ids).not.toContain(live);
  });

  describe('purge', () => {
    const DAY_MS = 86_400_000;
    const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

    it('removes records that were not observed since, with their content, but no imported records', async () => {
      const [old, young, imported, oldStream] = [uniqueId(), uniqueId(), uniqueId(), uniqueId()];
      await service().load('profiles', aProfile({ id: imported }));
      await json(
        'ingest',
        'twitch',
        aFile(
          response('users', daysAgo(31), user(old)),
          response('users', daysAgo(29), user(young)),
          response('streams', daysAgo(31), stream(oldStream, young, 5)),
        ),
      );
      const counted = await json('purge', '--older-than', '30d', '--platform', 'live_platform', '--dry-run');
      expect(await profileNow(old)).not.toBeNull();
      const purged = await json('purge', '--older-than', '30d', '--platform', 'live_platform', '--yes');
      expect(purged.removed).toEqual(counted.removed);
      expect(purged.removed.profiles).toBeGreaterThanOrEqual(1);
      const status = async (path: string) => (await service().get(`/platforms/live_platform/${path}`)).status;
      expect(await status(`profiles/${old}`)).toBe(404);
      expect(await status(`content/${oldStream}`)).toBe(404);
      expect(await status(`profiles/${young}`)).toBe(200);
      expect(await status(`profiles/${imported}`)).toBe(200);
      expect(await json('purge', '--older-than', '30d', '--yes')).toMatchObject({
        removed: { profiles: 0, content: 0 },
      });
    });

    it('requires --yes or --dry-run, and an age in days', async () => {
      expect(await run('purge', '--older-than', '30d')).toMatchObject({
        status: 1,
        err: 'Add --yes to remove the records, or --dry-run to count them.\n',
      });
      expect((await run('purge', '--older-than', '30')).err).toContain('It must be a number of days, such as 30d');
      expect((await run('purge')).status).toBe(1);
    });
  });
});
