import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { CollectStore } from '../../../src/operator/collect/collect-store.js';
import { readAskedTargets } from '../../../src/operator/collect/collect-targets.js';
import type { CreatorSource } from '../../../src/operator/collect/collect-source.js';
import { COLLECT_PLATFORMS } from '../../../src/operator/collect/platforms.js';
import { countCreators } from '../../../src/operator/collect/status.js';
import type { ApiAnswer, ApiServer } from '../../support/collect/api-server.js';
import { BlueskyServer } from '../../support/collect/bluesky-server.js';
import { IgdbServer } from '../../support/collect/igdb-server.js';
import { removeCollected } from '../../support/collect/remove-collected.js';
import { SimulatedTimer, simulate, simulateGames, watched } from '../../support/collect/simulation.js';
import { TwitchServer } from '../../support/collect/twitch-server.js';
import { YoutubeServer } from '../../support/collect/youtube-server.js';
import { removeAll } from '../../support/lists/lists.js';
import { describeService } from '../../support/service/test-service.js';

const START = Date.parse('2026-03-02T12:00:00Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Decompresses to more than an answer may have. */
const BOMB = gzipSync(`[${' '.repeat(64 * 1024 * 1024)}]`);

const NESTED = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

/** Answers that say nothing about who exists. */
const ODD: readonly (readonly [string, ApiAnswer])[] = [
  ['an empty object', { status: 200, body: {} }],
  ['null', { status: 200, body: 'null' }],
  ['an array', { status: 200, body: [] }],
  ['a message', { status: 200, body: { message: 'maintenance' } }],
  ['a list of something else', { status: 200, body: { data: [{}], profiles: [{}], items: [{}] } }],
  ['a list that is an object', { status: 200, body: { data: {}, profiles: {}, items: {} } }],
  ['a page', { status: 200, body: '<html>', headers: { 'content-type': 'text/html' } }],
  ['no body', { status: 204, body: '' }],
  ['half an answer', { status: 200, body: '{"data":[{"id":"1000"' }],
  ['a compressed answer without end', { status: 200, body: BOMB, headers: { 'content-encoding': 'gzip' } }],
  ['an answer that is not compressed as it says', { status: 200, body: '{}', headers: { 'content-encoding': 'gzip' } }],
  ['deeply nested arrays', { status: 200, body: NESTED }],
  [
    'a deeply nested member',
    { status: 200, body: `{"data":[{"id":"1000","x":${NESTED}}],"profiles":[{"did":"did:plc:1","x":${NESTED}}]}` },
  ],
  ['an ID that no creator has', { status: 200, body: { data: [{ id: '9'.repeat(400) }], profiles: [{ did: 'x' }] } }],
  ['the page of a wrong address', { status: 404, body: { message: 'Not Found' } }],
  ['a redirect', { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/' } }],
];

describeService('odd answers to collect', (service) => {
  let timer: SimulatedTimer;
  let servers: { twitch: TwitchServer; youtube: YoutubeServer; bluesky: BlueskyServer; igdb: IgdbServer };

  const all = (): ApiServer[] => Object.values(servers);
  beforeEach(async () => {
    timer = new SimulatedTimer(START);
    servers = {
      twitch: new TwitchServer(),
      youtube: new YoutubeServer(),
      bluesky: new BlueskyServer(),
      igdb: new IgdbServer(),
    };
    for (const server of all()) {
      server.now = () => timer.now();
      await server.start();
    }
    await removeAll(service());
    await removeCollected(service().database);
  });
  afterEach(async () => {
    for (const server of all()) await server.stop();
  });

  const collector = (source: CreatorSource, ids: readonly string[], everyMs?: number) => {
    const { environment } = servers[source];
    return simulate({
      database: service().database,
      source,
      environment,
      timer,
      creators: watched(source, ids, everyMs),
    });
  };
  const counts = async (source: CreatorSource) => {
    const { database } = service();
    const store = new CollectStore(database, source, timer.now);
    return countCreators(COLLECT_PLATFORMS[source], await readAskedTargets(database, store, source), timer.now());
  };

  it.each(ODD)('takes %s for an outage: nobody is missing', async (_name, answer) => {
    for (const source of ['twitch', 'youtube', 'bluesky'] as const) {
      const server = servers[source];
      const ids = server.add(2);
      await collector(source, ids).run();
      server.override = (call) => (call.path.includes('oauth2') ? null : answer);
      for (let days = 1; days <= 2; days += 1) {
        timer.time += DAY_MS + HOUR_MS;
        // Five failed calls in a row end the command with one line.
        const result = await run(collector(source, ids)).then(() => 'done', String);
        expect(result).toMatch(/^done$|^Error: \w+ does not answer \([^)]+\): run the same/);
      }
      expect([source, await counts(source)]).toEqual([
        source,
        expect.objectContaining({ missing: 0, gone: 0, due: 2 }),
      ]);
    }
  });

  it('takes creators whose call is rejected for neither missing nor gone', async () => {
    const ids = servers.bluesky.add(2);
    await collector('bluesky', ids).run();
    servers.bluesky.override = () => ({ status: 400, body: { error: 'InvalidRequest', message: 'x' } });
    for (let days = 1; days <= 2; days += 1) {
      timer.time += DAY_MS + HOUR_MS;
      await collector('bluesky', ids).run();
      expect(await counts('bluesky')).toMatchObject({ missing: 0, gone: 0 });
    }
    servers.bluesky.override = () => null;
    timer.time += DAY_MS;
    await collector('bluesky', ids).run();
    expect(await counts('bluesky')).toMatchObject({ missing: 0, gone: 0, due: 0, failing: 0 });
  });

  it('finds creators whose ID is a number', async () => {
    const ids = servers.twitch.add(1);
    const numeric = { status: 200, body: { data: [{ id: Number(ids[0]), login: 'x', display_name: 'X' }] } };
    servers.twitch.override = ({ path }) => (path === '/helix/users' ? numeric : null);
    await collector('twitch', ids).run();
    expect(await counts('twitch')).toMatchObject({ missing: 0 });
  });

  it.each([
    ['null', 'null'],
    ['a token that no header can hold', JSON.stringify({ access_token: 'TOKEN\nof\u{e4}' })],
    ['a token of no characters', JSON.stringify({ access_token: '' })],
  ])('ends with one line, without the token, if the token endpoint answers %s', async (_name, body) => {
    servers.twitch.override = ({ path }) => (path === '/oauth2/token' ? { status: 200, body } : null);
    const error = await collector('twitch', servers.twitch.add(500))
      .run()
      .catch((each: unknown) => each);
    expect(String(error)).toContain('twitch does not answer (the answer has no valid token)');
    expect(String(error)).not.toContain('TOKEN');
  });

  it('sends no credential to the target of a redirect', async () => {
    const [other, ids] = [servers.igdb, servers.twitch.add(1)];
    servers.twitch.override = () => ({ status: 307, body: '', headers: { location: `${other.url}/oauth2/token` } });
    await collector('twitch', ids).run();
    expect([other.calls, other.tokens.issued]).toEqual([[], []]);
  });

  it.each(['1000000000', '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    'asks again after a day when a platform says to wait %s',
    async (wait) => {
      const ids = servers.bluesky.add(1);
      servers.bluesky.override = () => ({ status: 429, body: '', headers: { 'retry-after': wait } });
      servers.bluesky.afterAnswer = () => (servers.bluesky.override = () => null);
      await collector('bluesky', ids).run();
      expect(timer.time - START).toBeLessThan(DAY_MS + HOUR_MS);
      expect(await counts('bluesky')).toMatchObject({ due: 0, failing: 0 });
    },
  );

  it('waits between calls when every answer is a 429 that asks for no wait', async () => {
    servers.bluesky.override = () => ({ status: 429, body: '', headers: { 'retry-after': '0' } });
    timer.stopAt = START + 10_000;
    await collector('bluesky', servers.bluesky.add(1)).run();
    expect(servers.bluesky.calls.length).toBeLessThanOrEqual(11);
  });

  it('asks once about a creator whom the list names by ID and by handle', async () => {
    const [id = ''] = servers.twitch.add(1, { login: 'anna' });
    await collector('twitch', [id, '@anna']).run();
    expect(servers.twitch.callsOf('/helix/videos')).toHaveLength(1);
    timer.time += DAY_MS;
    await collector('twitch', [id, '@anna']).run();
    expect(servers.twitch.callsOf('/helix/videos')).toHaveLength(2);
  });

  it('describes a video once that is listed twice', async () => {
    const ids = servers.youtube.add(1);
    const video = `${'0'.repeat(22)}-1`;
    const item = { contentDetails: { videoId: video, videoPublishedAt: '2026-03-01T00:00:00Z' } };
    const body = { kind: 'youtube#playlistItemListResponse', items: Array.from({ length: 60 }, () => item) };
    servers.youtube.override = ({ path }) => (path.endsWith('playlistItems') ? { status: 200, body } : null);
    await collector('youtube', ids).run();
    expect(servers.youtube.callsOf('/youtube/v3/videos').map(({ query }) => query.get('id'))).toEqual([video]);
  });

  it('counts a call against the day on which it is sent', async () => {
    timer.time = Date.parse('2026-03-03T07:59:59.950Z');
    await collector('youtube', servers.youtube.add(2)).run();
    const days = [20_514, 20_515];
    const store = new CollectStore(service().database, 'youtube', timer.now);
    const spent = await Promise.all(days.map(async (day) => (await store.readSpent(day)).units));
    const midnight = Date.parse('2026-03-03T08:00:00Z');
    const sent = servers.youtube.calls.filter(({ at }) => at >= midnight).length;
    expect(spent[1]).toBe(sent);
    expect(sent).toBeGreaterThan(1);
  });

  it('lets a run with other credentials begin at once', async () => {
    const ids = servers.twitch.add(1);
    servers.twitch.tokens.lifetimeMs = 0;
    await expect(collector('twitch', ids).run()).rejects.toThrow('twitch rejects the credentials');
    servers.twitch.tokens.lifetimeMs = DAY_MS;
    const before = timer.time;
    await collector('twitch', ids).run();
    expect(timer.time - before).toBeLessThan(5000);
  });

  it('takes a 403 about one creator for a rejection, and goes on with the others', async () => {
    const ids = servers.twitch.add(3);
    servers.twitch.override = ({ path, query }) =>
      path.includes('followers') && query.get('broadcaster_id') === ids[0]
        ? { status: 403, body: { error: 'Forbidden', status: 403, message: 'not public' } }
        : null;
    const { calls } = await run(collector('twitch', ids));
    expect(calls).toMatchObject({ failed: 0, rejected: 1 });
    for (const id of ids) expect((await service().get(`/platforms/live_platform/profiles/${id}`)).status).toBe(200);
  });

  it('reports who is kept longer than the watch list allows now, whatever it allowed before', async () => {
    const ids = servers.youtube.add(2);
    const collect = (keepMs: number | null) => {
      const { environment } = servers.youtube;
      const creators = watched('youtube', ids, HOUR_MS, keepMs);
      return run(simulate({ database: service().database, source: 'youtube', environment, timer, creators }));
    };
    await collect(null);
    timer.time += 2 * HOUR_MS;
    await collect(DAY_MS);
    expect(await counts('youtube')).toMatchObject({ kept_too_long: 0 });
    timer.time += 2 * DAY_MS;
    expect(await counts('youtube')).toMatchObject({ kept_too_long: 2 });
  });

  const games = (more: { isAll?: boolean; isLoop?: boolean } = {}) =>
    simulateGames({ database: service().database, environment: servers.igdb.environment, timer, ...more });

  it('ends a sweep of the catalogue whose pages do not go on', async () => {
    servers.igdb.add(500);
    const page = Array.from({ length: 500 }, (_, index) => ({ id: index + 1, name: 'x', slug: 'x' }));
    servers.igdb.override = ({ path }) => (path === '/v4/games' ? { status: 200, body: page } : null);
    expect((await run(games({ isAll: true }))).calls.sent).toBe(2);
  });

  it.each([
    ['a message', { status: 200, body: { message: 'maintenance' } }],
    ['the page of a wrong address', { status: 404, body: '' }],
  ])('takes %s of IGDB for an outage, and goes on in the next run', async (_name, answer) => {
    servers.igdb.add(3);
    servers.igdb.override = ({ path }) => (path === '/v4/games' ? answer : null);
    expect((await run(games({ isAll: true }))).calls).toMatchObject({ answered: 0, failed: 1 });
    servers.igdb.override = () => null;
    expect((await run(games({ isAll: true }))).calls).toMatchObject({ answered: 1, failed: 0 });
  });

  it('goes on with a sweep of games within minutes after an outage in its middle', async () => {
    servers.igdb.add(1001);
    servers.igdb.fault = ({ at, path }) =>
      path === '/v4/games' && servers.igdb.answered.length === 1 && at < START + HOUR_MS ? 'down' : 'none';
    timer.stopAt = START + 2 * HOUR_MS;
    await games({ isAll: true, isLoop: true }).run();
    expect(servers.igdb.answered).toHaveLength(3);
    expect(servers.igdb.answered.at(-1)?.at).toBeLessThan(START + HOUR_MS + 10 * 60_000);
  });

  async function run<C extends { run(): Promise<void> }>(each: C): Promise<C> {
    await each.run();
    return each;
  }
});
