import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { ApiAnswer } from '../../support/collect/api-server.js';
import { removeCollected } from '../../support/collect/remove-collected.js';
import { SimulatedSources } from '../../support/collect/simulated-sources.js';
import { removeAll } from '../../support/lists/lists.js';
import { describeService } from '../../support/service/test-service.js';

const START = Date.parse('2026-03-02T12:00:00Z');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const FORBIDDEN: ApiAnswer = { status: 403, body: { error: 'Forbidden', status: 403, message: 'not public' } };
const WRONG: ApiAnswer = { status: 400, body: { error: { code: 400, errors: [{ reason: 'invalidParameter' }] } } };

describeService('creators and calls that the platform always refuses', (service) => {
  let sources: SimulatedSources;
  beforeEach(async () => {
    sources = await SimulatedSources.start(service().database, START);
    await removeAll(service());
    await removeCollected(service().database);
  });
  afterEach(() => sources.stop());

  /** Runs a timer's command every ten minutes. @returns the errors */
  async function everyTenMinutes(source: 'twitch' | 'bluesky', ids: readonly string[], ms: number): Promise<string[]> {
    const { timer } = sources;
    const errors: string[] = [];
    for (let at = START; at < START + ms; at += 10 * MINUTE_MS) {
      timer.time = Math.max(timer.time, at);
      await sources.collect(source, ids).catch((error: unknown) => errors.push(String(error)));
    }
    return errors;
  }
  const askedOf = (id: string) => sources.bluesky.calls.filter(({ query }) => query.get('actor') === id);

  it('asks about all others while the calls about five creators always fail', async () => {
    const { bluesky } = sources;
    const ids = bluesky.add(20);
    bluesky.fault = ({ query }) => (ids.indexOf(query.get('actor') ?? '') in [0, 1, 2, 3, 4] ? 'down' : 'none');
    await everyTenMinutes('bluesky', ids, DAY_MS);
    expect(ids.slice(5).map((id) => askedOf(id).length)).toEqual(Array(15).fill(4));
  });

  it('keeps the interval of others in a loop while the calls about many creators always fail', async () => {
    const { bluesky, timer } = sources;
    const [good = '', ...bad] = bluesky.add(25);
    bluesky.fault = ({ query }) => (bad.includes(query.get('actor') ?? '') ? 'down' : 'none');
    const everyMs = 20 * MINUTE_MS;
    timer.stopAt = START + 12 * everyMs;
    await sources.collect('bluesky', [good, ...bad], { isLoop: true, everyMs });
    const times = [...askedOf(good).map(({ at }) => at), timer.stopAt];
    const waits = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(Math.max(...waits)).toBeLessThanOrEqual(1.2 * everyMs);
  });

  it('asks more and more rarely about a creator whose calls fail while others are answered', async () => {
    const { bluesky, timer } = sources;
    const [bad = '', ...good] = bluesky.add(10);
    bluesky.fault = ({ query }) => (query.get('actor') === bad ? 'down' : 'none');
    for (const [nth, id] of good.entries()) {
      timer.time = START + nth * HOUR_MS;
      await sources.collect('bluesky', [bad, id], { everyMs: DAY_MS });
    }
    // After 0, 1, 2 and 4 hours: the third failure is followed by a wait of 80 minutes, the fourth by one of 320.
    expect(askedOf(bad)).toHaveLength(4 * 6);
  });

  it('asks again within minutes after an outage, however long it was', async () => {
    const { bluesky, timer } = sources;
    const ids = bluesky.add(3);
    const end = START + 5 * HOUR_MS;
    bluesky.fault = ({ at }) => (at < end ? 'down' : 'none');
    timer.stopAt = end + 10 * MINUTE_MS;
    await sources.collect('bluesky', ids, { isLoop: true });
    expect(bluesky.answered).toHaveLength(4);
  });

  it('asks alone about each creator of a call that fails while others are answered', async () => {
    const { bluesky, timer } = sources;
    const ids = bluesky.add(26);
    const [bad = ''] = ids;
    bluesky.fault = ({ query }) => (query.getAll('actors').includes(bad) ? 'down' : 'none');
    for (const minutes of [0, 360, 400, 440, 480]) {
      timer.time = START + minutes * MINUTE_MS;
      await sources.collect('bluesky', ids);
    }
    expect(await sources.counts('bluesky')).toMatchObject({ creators: 26, failing: 1 });
    expect(ids.filter((id) => askedOf(id).length === 0)).toEqual([bad]);
  });

  it('goes on when the first answer of a run is a 403 about one creator', async () => {
    const { twitch, timer } = sources;
    const ids = twitch.add(1);
    twitch.override = ({ path }) => (path.includes('followers') ? FORBIDDEN : null);
    const first = await sources.collect('twitch', ids);
    expect(first.calls).toMatchObject({ failed: 0, rejected: 1 });
    timer.time += 10 * MINUTE_MS;
    expect((await sources.collect('twitch', ids)).calls).toMatchObject({ answered: 0, rejected: 1 });
  });

  it('asks more and more rarely for what the platform forbids', async () => {
    const { twitch } = sources;
    const ids = twitch.add(1);
    twitch.override = ({ path }) => (path.includes('followers') ? FORBIDDEN : null);
    expect(await everyTenMinutes('twitch', ids, DAY_MS)).toEqual([]);
    // At first and after 10, 30 and 110 minutes; then every six hours. Each asks again with a new token.
    expect(twitch.callsOf('/helix/channels/followers').length).toBeLessThanOrEqual(2 * 8);
  });

  it('stops when the platform forbids everything after the first answers, and renews the token once', async () => {
    const { twitch } = sources;
    const ids = twitch.add(50);
    twitch.override = ({ path }) => (path === '/oauth2/token' || twitch.answered.length < 3 ? null : FORBIDDEN);
    await expect(sources.collect('twitch', ids)).rejects.toThrow('twitch rejects the credentials');
    expect(twitch.tokens.issued).toHaveLength(2);
    expect(twitch.calls.length).toBeLessThan(12);
  });

  it('finds the one video that YouTube rejects, counts it, and describes all others', async () => {
    const { youtube } = sources;
    const ids = youtube.add(2, { videos: 20 });
    const bad = `${'0'.repeat(22)}-7`;
    youtube.override = ({ path, query }) =>
      path.endsWith('/videos') && query.get('id')?.split(',').includes(bad) ? WRONG : null;
    const { calls } = await sources.collect('youtube', ids);
    expect(calls).toMatchObject({ failed: 0, rejected: 1 });
    expect(calls.reasons.mostFrequent()).toEqual([expect.objectContaining({ reason: 'videos: HTTP 400', lines: 1 })]);
    const described = youtube.answered.flatMap(({ path, query }) =>
      path.endsWith('/videos') ? (query.get('id')?.split(',') ?? []) : [],
    );
    expect([described.length, new Set(described).size, described.includes(bad)]).toEqual([39, 39, false]);
    expect(await sources.counts('youtube')).toMatchObject({ due: 0, failing: 0 });
  });

  it('spends few calls when YouTube rejects all videos, and asks for them later', async () => {
    const { youtube, timer } = sources;
    const ids = youtube.add(2, { videos: 20 });
    youtube.override = ({ path }) => (path.endsWith('/videos') ? WRONG : null);
    const { calls } = await sources.collect('youtube', ids);
    expect(calls.rejected).toBeGreaterThan(3);
    expect(youtube.callsOf('/youtube/v3/videos').length).toBeLessThan(20);
    youtube.override = () => null;
    timer.time += DAY_MS / 5;
    await sources.collect('youtube', ids);
    expect(await sources.counts('youtube')).toMatchObject({ due: 0, failing: 0 });
  });

  it('counts a 404 of a step that lists nothing as a rejection', async () => {
    const { twitch } = sources;
    const ids = twitch.add(3);
    twitch.override = ({ path }) => (path.endsWith('/videos') ? { status: 404, body: { message: 'x' } } : null);
    expect((await sources.collect('twitch', ids)).calls).toMatchObject({ failed: 0, rejected: 3 });
  });

  it('waits for no claim of its own when the budget ends before a retry', async () => {
    const { youtube, timer } = sources;
    const ids = youtube.add(1);
    youtube.fault = () => 'down';
    expect(await sources.collect('youtube', ids, { budget: 2 })).toMatchObject({ isOverBudget: true });
    youtube.fault = () => 'none';
    await sources.collect('youtube', ids, { budget: 100 });
    expect(timer.time - START).toBeLessThan(5000);
  });

  it('counts nobody as failing after a run was stopped', async () => {
    const { bluesky, timer } = sources;
    timer.stopAt = START + 150;
    await sources.collect('bluesky', bluesky.add(3));
    expect(bluesky.calls.length).toBeLessThan(4);
    expect(await sources.counts('bluesky')).toMatchObject({ failing: 0 });
  });
});
