import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { CollectStore } from '../../../src/operator/collect/collect-store.js';
import { readAskedTargets } from '../../../src/operator/collect/collect-targets.js';
import { COLLECT_PLATFORMS } from '../../../src/operator/collect/platforms.js';
import { countCreators } from '../../../src/operator/collect/status.js';
import { removeCollected } from '../../support/collect/remove-collected.js';
import { SimulatedTimer, simulate, watched } from '../../support/collect/simulation.js';
import { TwitchServer } from '../../support/collect/twitch-server.js';
import { removeAll } from '../../support/lists/lists.js';
import { describeService } from '../../support/service/test-service.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describeService('creators named by handle, by ID, and in calls of their own', (service) => {
  let timer: SimulatedTimer;
  let twitch: TwitchServer;
  beforeEach(async () => {
    timer = new SimulatedTimer(Date.parse('2026-03-02T12:00:00Z'));
    twitch = new TwitchServer();
    twitch.now = () => timer.now();
    await twitch.start();
    await removeAll(service());
    await removeCollected(service().database);
  });
  afterEach(() => twitch.stop());

  const collect = async (targets: readonly string[]) => {
    const { database } = service();
    const { environment } = twitch;
    const creators = watched('twitch', targets);
    const collector = simulate({ database, source: 'twitch', environment, timer, creators });
    await collector.run();
    return collector.calls;
  };
  const counts = async () => {
    const { database } = service();
    const targets = await readAskedTargets(database, new CollectStore(database, 'twitch', timer.now), 'twitch');
    return countCreators(COLLECT_PLATFORMS.twitch, targets, timer.now());
  };
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
