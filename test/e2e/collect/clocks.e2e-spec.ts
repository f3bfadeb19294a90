import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { CollectStore } from '../../../src/operator/collect/collect-store.js';
import { quotaDay } from '../../../src/operator/collect/quota-day.js';
import { removeCollected } from '../../support/collect/remove-collected.js';
import { SimulatedSources } from '../../support/collect/simulated-sources.js';
import { removeAll } from '../../support/lists/lists.js';
import { describeService } from '../../support/service/test-service.js';

const START = Date.parse('2026-03-02T12:00:00Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** When a day of YouTube's quota begins. */
const MIDNIGHT = Date.parse('2026-03-03T08:00:00Z');

describeService('collecting with clocks that are set, and at midnight', (service) => {
  let sources: SimulatedSources;
  beforeEach(async () => {
    sources = await SimulatedSources.start(service().database, START);
    await removeAll(service());
    await removeCollected(service().database);
  });
  afterEach(() => sources.stop());

  const profile = async (id: string) =>
    (await service().get(`/platforms/microblog_platform/profiles/${id}`)).body.payload;

  it('replaces what was collected while the clock was a year ahead', async () => {
    const { bluesky, timer } = sources;
    const [id = ''] = bluesky.add(1, { followers: 10 });
    timer.time = START + 365 * DAY_MS;
    await sources.collect('bluesky', [id]);
    timer.time = START;
    const actor = bluesky.actors.get(id);
    if (actor === undefined) throw new Error('no actor');
    actor.followers = 99;
    expect((await sources.collect('bluesky', [id])).calls).toMatchObject({ answered: 2 });
    expect(await profile(id)).toMatchObject({
      statistics: { followers: 99 },
      updated_at: expect.stringMatching(/^2026-03-02/),
    });
    expect(await sources.counts('bluesky')).toMatchObject({ due: 0, late: 0 });
  });

  it('calls at once after a clock was some hours ahead', async () => {
    const { bluesky, timer } = sources;
    const ids = bluesky.add(2);
    timer.time = START + 5 * HOUR_MS;
    await sources.collect('bluesky', ids);
    const sent = bluesky.calls.length;
    timer.time = START;
    await sources.collect('bluesky', ids);
    expect((bluesky.calls[sent]?.at ?? 0) - START).toBeLessThan(60_000);
  });

  it('claims a creator for as long as a token, a call and the longest delay before a retry take', async () => {
    const { twitch, timer } = sources;
    const [id = ''] = twitch.add(1);
    let tokens = 0;
    twitch.fault = ({ path }) => {
      if (path === '/oauth2/token' && (tokens += 1) < 5) return 'down';
      timer.time += 29_000;
      return path === '/oauth2/token' ? 'none' : 'down';
    };
    let claimedMs = 0;
    // Each attempt sleeps before and after it, the first one also before it reserves.
    const beforeLastRetry = sources.timerWith(11, async () => {
      const states = await new CollectStore(service().database, 'twitch', timer.now).readStates();
      claimedMs = (states.get(id)?.claims.identity ?? 0) - timer.now();
    });
    await sources.collect('twitch', [id], { timer: beforeLastRetry });
    expect(twitch.calls).toHaveLength(2);
    expect(claimedMs).toBeGreaterThan(24_000);
  });

  it('leaves the new day its budget when the last call of a day is told that the quota is used up', async () => {
    const { youtube, timer } = sources;
    const ids = youtube.add(5);
    timer.time = MIDNIGHT - 50;
    const quotaExceeded = { error: { code: 403, errors: [{ reason: 'quotaExceeded' }] } };
    youtube.override = () => {
      youtube.override = () => null;
      timer.time = MIDNIGHT + 100;
      return { status: 403, body: quotaExceeded };
    };
    const { calls } = await sources.collect('youtube', ids);
    expect(calls).toMatchObject({ sent: 1 + 7, answered: 7 });
    const store = new CollectStore(service().database, 'youtube');
    const day = quotaDay(MIDNIGHT, 'America/Los_Angeles');
    expect((await store.readSpent(day)).units).toBe(7);
    expect((await store.readSpent(day - 1)).units).toBe(8000);
  });
});
