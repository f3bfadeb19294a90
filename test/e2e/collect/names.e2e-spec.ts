import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { CollectStore } from '../../../src/operator/collect/collect-store.js';
import type { ResponseArchive } from '../../../src/operator/collect/response-archive.js';
import { forgetCreator, undoForget } from '../../../src/operator/import/forget.js';
import { removeCollected } from '../../support/collect/remove-collected.js';
import { SimulatedSources } from '../../support/collect/simulated-sources.js';
import type { SimulatedTimer } from '../../support/collect/simulation.js';
import type { TwitchServer } from '../../support/collect/twitch-server.js';
import { removeAll } from '../../support/lists/lists.js';
import { describeService } from '../../support/service/test-service.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describeService('creators named by handle, by ID, and in calls of their own', (service) => {
  let sources: SimulatedSources;
  let timer: SimulatedTimer;
  let twitch: TwitchServer;
  beforeEach(async () => {
    sources = await SimulatedSources.start(service().database, Date.parse('2026-03-02T12:00:00Z'));
    ({ timer, twitch } = sources);
    await removeAll(service());
    await removeCollected(service().database);
  });
  afterEach(() => sources.stop());

  const collect = async (targets: readonly string[]) => (await sources.collect('twitch', targets)).calls;
  const counts = () => sources.counts('twitch');
  const forget = (id: string) => forgetCreator(service().database, 'microblog_platform', id, timer.now());
  /** Lists the names of which anything is noted. */
  const noted = async () => [...(await new CollectStore(service().database, 'bluesky', timer.now).readStates()).keys()];
  const sizesOf = (path: string, parameter: string) =>
    twitch.callsOf(path).map(({ query }) => query.getAll(parameter).length);

  it('asks nothing again about a creator named by ID whom an earlier list named by handle', async () => {
    const [id = ''] = twitch.add(1, { login: 'anna' });
    expect((await collect(['@anna'])).sent).toBe(5);
    expect((await collect([id])).sent).toBe(0);
    timer.time += DAY_MS;
    expect((await collect([id])).sent).toBe(5);
    expect((await collect(['@anna'])).sent).toBe(0);
    expect(await counts()).toMatchObject({ creators: 1, due: 0 });
  });

  it('asks only who it is about a creator named by handle whom an earlier list named by ID', async () => {
    const [id = ''] = twitch.add(1, { login: 'anna' });
    await collect([id]);
    expect((await collect(['@anna'])).sent).toBe(1);
    expect((await collect(['@anna', id])).sent).toBe(0);
    expect(await counts()).toMatchObject({ creators: 1, due: 0 });
  });

  it('finds a creator by handle who was gone by ID, and asks once who it is', async () => {
    const [id = ''] = twitch.add(1, { login: 'anna' });
    const user = twitch.users.get(id);
    if (user === undefined) throw new Error('no user');
    await collect([id]);
    user.exists = false;
    for (let hours = 0; hours <= 30; hours += 6) {
      timer.time += 6 * HOUR_MS;
      await collect([id]);
    }
    expect(await counts()).toMatchObject({ gone: 1 });
    user.exists = true;
    timer.time += HOUR_MS;
    // The other steps were last asked before the creator was gone.
    expect((await collect(['@anna'])).sent).toBe(5);
    expect(await counts()).toMatchObject({ creators: 1, gone: 0, missing: 0, due: 0 });
    expect((await collect([id])).sent).toBe(0);
  });

  it('asks once who a creator is whom the list names by handle, days after it was named by ID', async () => {
    const [id = ''] = twitch.add(1, { login: 'anna' });
    await collect([id]);
    timer.time += 3 * DAY_MS;
    expect((await collect(['@anna'])).sent).toBe(5);
    expect(sizesOf('/helix/users', 'login')).toEqual([0, 1]);
  });

  it('describes the listed videos of a creator once who is named by ID and then by handle', async () => {
    const { youtube } = sources;
    const [id = ''] = youtube.add(1, { handle: '@anna', videos: 60 });
    // The budget ends before the videos are described.
    await sources.collect('youtube', [id], { budget: 2 });
    for (const names of [['@anna'], [id], ['@anna'], [id]])
      await sources.collect('youtube', names, { budget: 100, everyMs: DAY_MS });
    const paths = youtube.calls.map(({ path }) => path.replace('/youtube/v3/', ''));
    expect(paths).toEqual(['channels', 'playlistItems', 'channels', 'videos']);
    expect(await sources.counts('youtube')).toMatchObject({ creators: 1, due: 0 });
  });

  it('asks nothing about a creator named by ID whom another collector asks about by handle meanwhile', async () => {
    const ids = twitch.add(150);
    const last = ids.at(-1) ?? '';
    const between = sources.timerWith(3, () => collect([`@streamer_${last}`]));
    await sources.collect('twitch', ids, { timer: between });
    const asked = (path: string, name: string) =>
      twitch.callsOf(path).filter(({ query }) => query.getAll(name).includes(last)).length;
    expect(asked('/helix/channels/followers', 'broadcaster_id')).toBe(1);
    expect(asked('/helix/videos', 'user_id')).toBe(1);
    expect(asked('/helix/channels', 'broadcaster_id')).toBe(1);
  });

  it('asks nothing more, and notes nothing, about a creator who is forgotten during the run', async () => {
    const { bluesky } = sources;
    const [first = '', second = '', forgotten = ''] = bluesky.add(3);
    const between = sources.timerWith(4, () => forget(forgotten));
    const { calls } = await sources.collect('bluesky', [first, second, forgotten], { timer: between });
    expect(calls).toMatchObject({ answered: 3, rejected: 0 });
    expect(bluesky.calls.filter(({ query }) => query.get('actor') === forgotten)).toEqual([]);
    expect(await noted()).toEqual([first, second]);
    await undoForget(service().database, 'microblog_platform', forgotten);
  });

  it('notes nothing about a creator who is forgotten while the answer is stored', async () => {
    const { bluesky } = sources;
    const [forgotten = '', other = ''] = bluesky.add(2);
    let forgetting: Promise<unknown> = Promise.resolve();
    bluesky.afterAnswer = ({ path }) => {
      if (path.endsWith('getProfiles')) forgetting = forget(forgotten);
    };
    await sources.collect('bluesky', [forgotten, other]);
    await forgetting;
    expect(await noted()).toEqual([other]);
    await undoForget(service().database, 'microblog_platform', forgotten);
  });

  /** Collects until a creator is gone, and lets another one take the login. @returns the ID of the other one */
  async function goneWithNextOwner(id: string, login: string, targets: readonly string[]): Promise<string> {
    const user = twitch.users.get(id);
    if (user === undefined) throw new Error('no user');
    user.exists = false;
    for (let hours = 0; hours <= 30; hours += 6) {
      timer.time += 6 * HOUR_MS;
      await collect(targets);
    }
    expect(await counts()).toMatchObject({ gone: 1 });
    timer.time += 3 * DAY_MS;
    const [other = ''] = twitch.add(1, { login });
    return other;
  }
  const statusOf = async (id: string) => (await service().get(`/platforms/live_platform/profiles/${id}`)).status;

  it('asks by ID about somebody who is gone and named by ID, although an earlier list named the login', async () => {
    const [id = ''] = twitch.add(1, { login: 'anna' });
    await collect(['@anna']);
    const other = await goneWithNextOwner(id, 'anna', [id]);
    expect((await collect([id])).sent).toBe(1);
    expect(twitch.callsOf('/helix/users').at(-1)?.query.toString()).toBe(`id=${id}`);
    expect([await statusOf(other), await counts()]).toEqual([404, expect.objectContaining({ gone: 1 })]);
  });

  it('follows a login to its next owner, and keeps who is gone, when a list named both the login and the ID', async () => {
    const [id = ''] = twitch.add(1, { login: 'anna' });
    await collect(['@anna', id]);
    const other = await goneWithNextOwner(id, 'anna', ['@anna', id]);
    await collect(['@anna']);
    await collect(['@anna']);
    expect([await statusOf(other), await counts()]).toEqual([200, expect.objectContaining({ creators: 2, gone: 1 })]);
  });

  it('asks nothing else about a creator whom the first answer of a run lacks', async () => {
    const [id = ''] = twitch.add(1);
    const user = twitch.users.get(id);
    if (user === undefined) throw new Error('no user');
    await collect([id]);
    user.exists = false;
    timer.time += DAY_MS;
    expect((await collect([id])).sent).toBe(1);
  });

  it('stores an answer that cannot be kept as well, and then ends', async () => {
    const [id = ''] = twitch.add(1);
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    const archive = { append: () => Promise.reject(full) } as unknown as ResponseArchive;
    await expect(sources.collect('twitch', [id], { archive })).rejects.toThrow(full);
    expect([await statusOf(id), (await collect([id])).sent]).toEqual([200, 4]);
  });

  it('takes an answer about another creator for one without the creator', async () => {
    const [id = ''] = twitch.add(1, { login: 'berta' });
    const body = { data: [{ id, login: 'berta', display_name: 'Berta' }] };
    twitch.override = ({ path }) => (path === '/helix/users' ? { status: 200, body } : null);
    await collect(['@anna']);
    expect(await counts()).toMatchObject({ creators: 1, missing: 1 });
    expect(twitch.callsOf('/helix/videos')).toEqual([]);
  });

  it('asks about a creator alone only in the step whose calls the platform rejects, round after round', async () => {
    const ids = twitch.add(3);
    twitch.override = ({ path, query }) =>
      path === '/helix/channels' && query.getAll('broadcaster_id').includes(String(ids[0]))
        ? { status: 400, body: { error: 'Bad Request', status: 400, message: 'x' } }
        : null;
    await collect(ids);
    expect(sizesOf('/helix/channels', 'broadcaster_id')).toEqual([3, 1, 1, 1]);
    for (const rounds of [1, 2]) {
      timer.time += 6 * HOUR_MS;
      await collect(ids);
      const sizes = sizesOf('/helix/channels', 'broadcaster_id').slice(4);
      expect(sizes.toSorted((a, b) => a - b)).toEqual([...Array(rounds).fill(1), ...Array(rounds).fill(2)]);
    }
    expect(sizesOf('/helix/streams', 'user_id')).toEqual([3, 3, 3]);
    expect(sizesOf('/helix/users', 'id')).toEqual([3, 3, 3]);
  });
});
