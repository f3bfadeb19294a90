import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { CollectStore } from '../../../src/operator/collect/collect-store.js';
import { readTargets } from '../../../src/operator/collect/collect-targets.js';
import { COLLECT_PLATFORMS } from '../../../src/operator/collect/platforms.js';
import { quotaDay } from '../../../src/operator/collect/quota-day.js';
import { SYSTEM_TIMER } from '../../../src/operator/collect/timer.js';
import { countCreators } from '../../../src/operator/collect/status.js';
import type { ApiServer } from '../../support/collect/api-server.js';
import { BlueskyServer } from '../../support/collect/bluesky-server.js';
import { removeCollected } from '../../support/collect/remove-collected.js';
import { SimulatedTimer, simulate, watched } from '../../support/collect/simulation.js';
import { TwitchServer } from '../../support/collect/twitch-server.js';
import { YoutubeServer } from '../../support/collect/youtube-server.js';
import { removeAll } from '../../support/lists/lists.js';
import { describeService } from '../../support/service/test-service.js';

const START = Date.parse('2026-03-02T12:00:00Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Creators of two collectors. */
const CREATORS = 60;

describeService('collect, when something fails', (service) => {
  let timer: SimulatedTimer;
  let servers: ApiServer[] = [];

  async function start<S extends ApiServer>(server: S): Promise<S> {
    servers.push(server);
    server.now = () => timer.now();
    await server.start();
    return server;
  }

  beforeEach(async () => {
    timer = new SimulatedTimer(START);
    await removeAll(service());
    await removeCollected(service().database);
  });
  afterEach(async () => {
    for (const server of servers) await server.stop();
    servers = [];
  });

  const collect = async (
    source: 'twitch' | 'youtube' | 'bluesky',
    server: ApiServer & { readonly environment: Readonly<Record<string, string>> },
    ids: readonly string[],
    more: { budget?: number; everyMs?: number } = {},
  ) => {
    const { budget, everyMs } = more;
    const creators = watched(source, ids, everyMs);
    const { database } = service();
    const options = { database, source, environment: server.environment, timer, creators };
    const collector = simulate(budget === undefined ? options : { ...options, budget });
    await collector.run();
    return collector;
  };
  const profile = async (platform: string, id: string) =>
    (await service().get(`/platforms/${platform}/profiles/${id}`)).body.payload;

  it('renews an expired token once and repeats the call', async () => {
    const twitch = await start(new TwitchServer());
    twitch.tokens.lifetimeMs = 1000;
    const { calls } = await collect('twitch', twitch, twitch.add(20));
    expect(calls).toMatchObject({ answered: 43, failed: 0 });
    expect(twitch.answered).toHaveLength(43);
    expect(twitch.tokens.issued.length).toBeGreaterThan(2);
  });

  it('stops at a 401 with a fresh token, with one line', async () => {
    const twitch = await start(new TwitchServer());
    const ids = twitch.add(5);
    twitch.tokens.lifetimeMs = 0;
    await expect(collect('twitch', twitch, ids)).rejects.toThrow(
      'twitch rejects the credentials: correct TWITCH_CLIENT_ID and TWITCH_CLIENT_SECRET',
    );
    expect(twitch.calls).toHaveLength(2);
  });

  it('stops at a wrong key of YouTube, after one call', async () => {
    const youtube = await start(new YoutubeServer());
    const wrong = { ...youtube.environment, YOUTUBE_API_KEY: 'wrong' };
    const { database } = service();
    const creators = watched('youtube', youtube.add(1));
    const collector = simulate({ database, source: 'youtube', environment: wrong, timer, creators });
    await expect(collector.run()).rejects.toThrow('youtube rejects the credentials: correct YOUTUBE_API_KEY');
    expect(youtube.calls).toHaveLength(1);
  });

  it('waits as a 429 tells, then repeats the call', async () => {
    const bluesky = await start(new BlueskyServer());
    bluesky.limited = 2;
    const { calls } = await collect('bluesky', bluesky, bluesky.add(1));
    expect(calls).toMatchObject({ sent: 4, answered: 2, failed: 0 });
    expect(bluesky.calls.slice(0, 3).map(({ at }) => Math.floor((at - START) / 1000))).toEqual([0, 30, 60]);
  });

  it('waits as a 429 tells when the next day of the quota begins meanwhile, in another run as well', async () => {
    const bluesky = await start(new BlueskyServer());
    const ids = bluesky.add(30);
    const midnight = START + DAY_MS / 2;
    timer.time = midnight - 10_000;
    timer.stopAt = midnight - 5000;
    bluesky.limited = 1;
    await collect('bluesky', bluesky, ids);
    [timer.time, timer.stopAt, timer.stopping] = [midnight + 5000, Infinity, new AbortController()];
    await collect('bluesky', bluesky, ids);
    expect(bluesky.calls.map(({ at }) => at - midnight).slice(0, 2)).toEqual([-10_000, 20_000]);
  });

  it('retries a call five times, backing off, then goes on with the next', async () => {
    const bluesky = await start(new BlueskyServer());
    const [first = '', ...others] = bluesky.add(3);
    bluesky.fault = ({ query }) => (query.get('actor') === first ? 'down' : 'none');
    const collector = await collect('bluesky', bluesky, [first, ...others]);
    expect(collector.calls).toMatchObject({ answered: 3, failed: 1 });
    const attempts = bluesky.calls.filter(({ query }) => query.get('actor') === first).map(({ at }) => at);
    expect(attempts).toHaveLength(6);
    const delays = attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0));
    expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000]);
    // Later, the creator is asked about again, and only that one.
    bluesky.fault = () => 'none';
    timer.time += HOUR_MS / 2;
    expect((await collect('bluesky', bluesky, [first, ...others])).calls).toMatchObject({ answered: 1 });
  });

  it('survives cut connections', async () => {
    const twitch = await start(new TwitchServer());
    let cuts = 0;
    twitch.fault = () => ((cuts += 1) % 4 === 0 ? 'cut' : 'none');
    const { calls } = await collect('twitch', twitch, twitch.add(10));
    expect(calls).toMatchObject({ answered: 23, failed: 0 });
  });

  it('ends with one line when the platform is down', async () => {
    const bluesky = await start(new BlueskyServer());
    bluesky.fault = () => 'down';
    await expect(collect('bluesky', bluesky, bluesky.add(200))).rejects.toThrow(
      'bluesky does not answer (HTTP 503): run the same command again later',
    );
    expect(bluesky.calls).toHaveLength(6 + 4);
  });

  it('spends no more than the budget, and goes on the next day', async () => {
    const youtube = await start(new YoutubeServer());
    const ids = youtube.add(20, { videos: 1 });
    const everyMs = 2 * DAY_MS;
    const collector = await collect('youtube', youtube, ids, { budget: 10, everyMs });
    expect(collector).toMatchObject({ isOverBudget: true, calls: { units: 10 } });
    expect(youtube.calls).toHaveLength(10);
    expect((await collect('youtube', youtube, ids, { budget: 10, everyMs })).calls.sent).toBe(0);
    timer.time = Date.parse('2026-03-03T08:00:00Z');
    // Nine of 20 channels have listed their videos; all videos fit into one call.
    expect((await collect('youtube', youtube, ids, { budget: 100, everyMs })).calls.units).toBe(11 + 1);
  });

  it('asks no more on a day on which the platform says that the quota is used up', async () => {
    const youtube = await start(new YoutubeServer());
    youtube.quota = 3;
    const ids = youtube.add(20);
    expect(await collect('youtube', youtube, ids)).toMatchObject({ isOverBudget: true, calls: { answered: 3 } });
    expect((await collect('youtube', youtube, ids)).calls.sent).toBe(0);
    expect(youtube.calls).toHaveLength(4);
  });

  it('shares budget and creators between two collectors: nothing is asked twice', async () => {
    const twitch = await start(new TwitchServer());
    // In real time: a claim outlasts a call only if both take time.
    twitch.now = Date.now;
    const creators = watched('twitch', twitch.add(CREATORS));
    const real = { ...SYSTEM_TIMER, stopping: new AbortController() };
    const { database } = service();
    const options = { database, source: 'twitch', environment: twitch.environment, timer: real, creators } as const;
    const [one, two] = [simulate(options), simulate(options)];
    await Promise.all([one.run(), two.run()]);
    expect(Math.min(one.calls.answered, two.calls.answered)).toBeGreaterThan(CREATORS / 4);
    const asked = twitch.answered.flatMap(({ path, query }) =>
      ['id', 'broadcaster_id', 'user_id'].flatMap((name) => query.getAll(name).map((id) => `${path} ${id}`)),
    );
    expect(asked.filter((one, nth) => asked.indexOf(one) !== nth)).toEqual([]);
    expect(asked).toHaveLength(5 * CREATORS);
    const spent = await new CollectStore(database, 'twitch').readSpent(quotaDay(Date.now(), 'UTC'));
    expect(spent).toEqual({ calls: twitch.calls.length, units: twitch.calls.length });
  });

  it('asks nothing that another collector has asked since the calls were scheduled', async () => {
    for (const source of ['twitch', 'youtube'] as const) {
      const server = await start(source === 'twitch' ? new TwitchServer() : new YoutubeServer());
      const ids = server.add(5);
      const { database } = service();
      const creators = watched(source, ids);
      // From the second time on, all steps are due at once.
      await collect(source, server, ids);
      timer.time += 10 * DAY_MS;
      let isFirst = true;
      const sleep: typeof timer.sleep = async (...wait) => {
        if (isFirst) {
          isFirst = false;
          await collect(source, server, ids);
        }
        await timer.sleep(...wait);
      };
      const late = { now: timer.now, sleep, stopping: timer.stopping };
      const collector = simulate({ database, source, environment: server.environment, timer: late, creators });
      await collector.run();
      expect([source, collector.calls.sent]).toEqual([source, 0]);
    }
  });

  it('lists who is missing twice, a day apart, as gone, keeps the profile, and finds the creator again', async () => {
    const twitch = await start(new TwitchServer());
    const [id = '', other = ''] = twitch.add(2);
    const user = twitch.users.get(id);
    if (user === undefined) throw new Error('no user');
    const counts = async (run: Promise<unknown>) => {
      await run;
      const { database } = service();
      const store = new CollectStore(database, 'twitch');
      const targets = await readTargets(database, store, 'twitch', watched('twitch', [id, other]));
      return countCreators(COLLECT_PLATFORMS.twitch, targets, timer.now());
    };
    const again = () => counts(collect('twitch', twitch, [id, other]));
    await again();
    user.exists = false;
    for (const hours of [6, 6, 6, 6]) {
      timer.time += hours * HOUR_MS;
      expect(await again()).toMatchObject({ missing: 1, gone: 0 });
    }
    timer.time += 6 * HOUR_MS;
    expect(await again()).toMatchObject({ missing: 0, gone: 1, gone_creators: [id] });
    expect(await profile('live_platform', id)).toMatchObject({ id });
    // At ten times the interval it is asked about again.
    timer.time += 54 * HOUR_MS;
    const isAsked = () => twitch.callsOf('/helix/users').at(-1)?.query.getAll('id').includes(id);
    await again();
    expect(isAsked()).toBe(false);
    user.exists = true;
    timer.time += 6 * HOUR_MS;
    expect(await again()).toMatchObject({ missing: 0, gone: 0, due: 0 });
    expect(isAsked()).toBe(true);
  });

  it('follows a handle to its next owner once the first one is gone', async () => {
    const twitch = await start(new TwitchServer());
    const [first = ''] = twitch.add(1, { login: 'mara' });
    const again = () => collect('twitch', twitch, ['@mara']);
    await again();
    for (const user of twitch.users.values()) user.exists = false;
    const [second = ''] = twitch.add(1, { login: 'mara' });
    for (const _ of [1, 2]) {
      timer.time += DAY_MS;
      await again();
      expect((await service().get(`/platforms/live_platform/profiles/${second}`)).status).toBe(404);
    }
    timer.time += 10 * DAY_MS;
    expect((await again()).calls.answered).toBe(5);
    expect(await profile('live_platform', second)).toMatchObject({ id: second });
    expect(await profile('live_platform', first)).toMatchObject({ id: first });
  });

  it('keeps the last known count of a channel that hides it', async () => {
    const youtube = await start(new YoutubeServer());
    const [id = ''] = youtube.add(1, { subscribers: 4321 });
    await collect('youtube', youtube, [id]);
    const channel = youtube.channels.get(id);
    if (channel === undefined) throw new Error('no channel');
    channel.hidesSubscribers = true;
    timer.time += DAY_MS;
    expect((await collect('youtube', youtube, [id])).calls.answered).toBe(3);
    expect(await profile('video_platform', id)).toMatchObject({ statistics: { followers: 4321 } });
  });

  it('takes a channel without uploads as one without videos', async () => {
    const youtube = await start(new YoutubeServer());
    const ids = youtube.add(1, { videos: 0 });
    expect((await collect('youtube', youtube, ids)).calls).toMatchObject({ sent: 2, failed: 0, rejected: 0 });
    expect((await collect('youtube', youtube, ids)).calls.sent).toBe(0);
  });

  it('asks one by one when the platform rejects a call about several, and together again after', async () => {
    const twitch = await start(new TwitchServer());
    const ids = twitch.add(3);
    // The server rejects calls with an ID that is no number.
    const creators = ['x1', ...ids];
    const { calls } = await collect('twitch', twitch, creators);
    expect(calls).toMatchObject({ failed: 0, rejected: 1 });
    expect(twitch.callsOf('/helix/users').map(({ query }) => query.getAll('id').length)).toEqual([4, 1, 1, 1, 1]);
    timer.time += 6 * HOUR_MS;
    await collect('twitch', twitch, creators);
    expect(
      twitch
        .callsOf('/helix/users')
        .slice(5)
        .map(({ query }) => query.getAll('id').length)
        .toSorted((a, b) => a - b),
    ).toEqual([1, 3]);
  });
});
