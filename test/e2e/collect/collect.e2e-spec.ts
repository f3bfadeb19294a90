import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { BlueskyServer } from '../../support/collect/bluesky-server.js';
import { runWithSettings } from '../../support/collect/collect-command.js';
import { IgdbServer } from '../../support/collect/igdb-server.js';
import { TwitchServer } from '../../support/collect/twitch-server.js';
import { YoutubeServer } from '../../support/collect/youtube-server.js';
import { aContent, liveGame } from '../../support/records/builders.js';
import { describeService } from '../../support/service/test-service.js';
import { removeAll } from '../../support/lists/lists.js';
import { removeCollected } from '../../support/collect/remove-collected.js';

describeService('collect', (service) => {
  let twitch: TwitchServer;
  let youtube: YoutubeServer;
  let bluesky: BlueskyServer;
  let igdb: IgdbServer;
  let files = 0;

  beforeEach(async () => {
    [twitch, youtube, bluesky, igdb] = [new TwitchServer(), new YoutubeServer(), new BlueskyServer(), new IgdbServer()];
    for (const server of [twitch, youtube, bluesky, igdb]) await server.start();
    await removeAll(service());
    await removeCollected(service().database);
  });
  afterEach(async () => {
    for (const server of [twitch, youtube, bluesky, igdb]) await server.stop();
  });

  const watchFile = (platform_id: string, ids: readonly string[], members: object = {}): string => {
    const file = join(service().testDatabase.folder, `watch-${(files += 1)}.ndjson`);
    const lines = ids.map((id) => JSON.stringify({ platform_id, id, ...members }));
    writeFileSync(file, `${lines.join('\n')}\n`);
    return file;
  };
  const run = (source: string, ...args: readonly string[]) => {
    const all = [twitch, youtube, bluesky].map(({ environment }) => environment);
    // IGDB and Twitch share the names of the credentials.
    const settings = Object.assign({}, ...all, ...(source === 'igdb' ? [igdb.environment] : [])) as Record<
      string,
      string
    >;
    return runWithSettings(service().testDatabase, settings, 'collect', source, ...args);
  };
  const runJson = async (source: string, ...args: readonly string[]) => {
    const { status, out, err } = await run(source, ...args, '--json');
    if (status !== 0) throw new Error(`${source} ${args.join(' ')}: ${status} ${err} ${out}`);
    return JSON.parse(out);
  };

  it('asks Twitch as rarely as its API allows, and the service answers with what came', async () => {
    const ids = twitch.add(3, { followers: 1234, isLive: true });
    const report = await runJson('twitch', '--watch', watchFile('live_platform', ids));
    expect(report).toMatchObject({
      source: 'twitch',
      calls: { sent: 9, answered: 9, failed: 0 },
      units: 9,
      rejected: 0,
    });
    expect(twitch.calls.map(({ path }) => path)).toEqual([
      ...['users', 'channels', 'streams'].map((name) => `/helix/${name}`),
      ...ids.flatMap(() => ['/helix/channels/followers', '/helix/videos']),
    ]);
    const { body } = await service().get(`/platforms/live_platform/profiles/${ids[0]}`);
    expect(body.payload).toMatchObject({
      id: ids[0],
      name: 'streamer_1000',
      language: 'en',
      statistics: { followers: 1234 },
      account_type: 'partner',
    });
    const content = await service().get(`/platforms/live_platform/profiles/${ids[0]}/content`);
    expect(content.body.payload).toHaveLength(3);
  });

  it('asks YouTube about videos of several channels in one call', async () => {
    const ids = youtube.add(30, { videos: 5 });
    const report = await runJson('youtube', '--watch', watchFile('video_platform', ids));
    expect(report).toMatchObject({
      calls: { sent: 1 + 30 + 3 },
      units: 34,
      units_today: 34,
      budget: 8000,
      rejected: 0,
    });
    expect(report.records).toMatchObject({ content: 150 });
    expect(youtube.callsOf('/youtube/v3/videos').map(({ query }) => query.get('id')?.split(',').length)).toEqual([
      50, 50, 50,
    ]);
  });

  it('asks YouTube about videos without a number of results, which it does not support for a list of IDs', async () => {
    await runJson('youtube', '--watch', watchFile('video_platform', youtube.add(1)));
    expect(youtube.callsOf('/youtube/v3/videos').map(({ query }) => [...query.keys()])).toEqual([['part', 'id']]);
  });

  it('asks Bluesky about 25 creators in a call', async () => {
    const ids = bluesky.add(26);
    const report = await runJson('bluesky', '--watch', watchFile('microblog_platform', ids));
    expect(report).toMatchObject({ calls: { sent: 2 + 26 }, records: { content: 52 }, rejected: 0 });
    const { body } = await service().get(`/platforms/microblog_platform/profiles/${ids[25]}`);
    expect(body.payload).toMatchObject({ name: 'actor25.example.com', statistics: { followers: 10 } });
  });

  it('finds creators by handle', async () => {
    twitch.add(1, { login: 'anna' });
    youtube.add(1, { handle: '@anna' });
    bluesky.add(1, { handle: 'anna.example.com' });
    const file = join(service().testDatabase.folder, 'handles.csv');
    writeFileSync(
      file,
      'platform_id,handle\nlive_platform,Anna\nvideo_platform,@anna\nmicroblog_platform,anna.example.com\n',
    );
    for (const source of ['twitch', 'youtube', 'bluesky']) {
      expect(await runJson(source, '--watch', file)).toMatchObject({ creators: { creators: 1, due: 0, missing: 0 } });
    }
    expect((await service().get('/platforms/live_platform/profiles/1000')).status).toBe(200);
  });

  it('asks IGDB about stored games, and about the games of stored content', async () => {
    igdb.add(3);
    await service().load('games', { id: '1', name: 'Old name', slug: 'x' });
    await service().load('content', aContent({ categories: [liveGame('50003')] }));
    const report = await runJson('igdb');
    expect(report).toMatchObject({ calls: { sent: 2 }, records: { games: 2 }, rejected: 0 });
    const { sources } = await runJson('status', 'igdb');
    const sweep = (name: string) => ({ name, began_at: expect.stringMatching(/Z$/), is_complete: true });
    expect(sources).toEqual([
      { source: 'igdb', sweeps: [sweep('categories'), sweep('games')], spent_today: { calls: 2, units: 2 } },
    ]);
    expect((await run('status')).out).toMatch(/^igdb: categories asked .*; games asked .*; today 2 calls, 2 units$/m);
    const { body } = await service().get('/games/search?query=game');
    expect(body.payload.map(({ name }: { name: string }) => name).toSorted()).toEqual(['Game 1', 'Game 3']);
  });

  it('pages through the catalogue of IGDB with --all', async () => {
    igdb.add(1001);
    expect(await runJson('igdb', '--all')).toMatchObject({ calls: { sent: 3 }, records: { games: 1001 } });
    expect(await runJson('igdb', '--all')).toMatchObject({ calls: { sent: 0 } });
  });

  it('asks nobody again before the interval has passed', async () => {
    const file = watchFile('live_platform', twitch.add(2));
    await runJson('twitch', '--watch', file);
    const sent = twitch.calls.length;
    expect(await runJson('twitch', '--watch', file)).toMatchObject({ calls: { sent: 0 }, creators: { due: 0 } });
    expect(twitch.calls).toHaveLength(sent);
  });
});
