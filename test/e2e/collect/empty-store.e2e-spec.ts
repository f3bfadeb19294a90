import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { planOf } from '../../../src/operator/collect/plan.js';
import { COLLECT_PLATFORMS } from '../../../src/operator/collect/platforms.js';
import { CREATOR_SOURCES, SOURCE_PLATFORMS, type CreatorSource } from '../../../src/operator/collect/collect-source.js';
import { BlueskyServer } from '../../support/collect/bluesky-server.js';
import { IgdbServer } from '../../support/collect/igdb-server.js';
import { removeCollected } from '../../support/collect/remove-collected.js';
import { SimulatedTimer, simulate, simulateGames, watched } from '../../support/collect/simulation.js';
import { TwitchServer } from '../../support/collect/twitch-server.js';
import { YoutubeServer } from '../../support/collect/youtube-server.js';
import { removeAll } from '../../support/lists/lists.js';
import { describeService } from '../../support/service/test-service.js';

const START = Date.parse('2026-03-02T12:00:00Z');

/** Drills have 2,118 creators. */
const SCALE = process.env.FAULTS === undefined ? 1 : 6;

/** One more than fills calls. */
const CREATORS: Readonly<Record<CreatorSource, number>> = {
  twitch: 200 * SCALE + 1,
  youtube: 100 * SCALE + 1,
  bluesky: 50 * SCALE + 1,
};

/** One more than fills calls. */
const GAMES_PER_CALL = 500;
const GAMES = GAMES_PER_CALL * SCALE + 1;

/** Calls in batches of 100, 50 and 25 creators, and calls for each creator. */
const FEWEST: Readonly<Record<CreatorSource, number>> = {
  twitch: 3 * (2 * SCALE + 1) + 2 * CREATORS.twitch,
  youtube: 2 * SCALE + 1 + 2 * CREATORS.youtube,
  bluesky: 2 * SCALE + 1 + CREATORS.bluesky,
};

describeService('collecting into an empty store', (service) => {
  const timer = new SimulatedTimer(START);
  let servers: { twitch: TwitchServer; youtube: YoutubeServer; bluesky: BlueskyServer; igdb: IgdbServer };

  beforeEach(async () => {
    await removeAll(service());
    await removeCollected(service().database);
    servers = {
      twitch: new TwitchServer(),
      youtube: new YoutubeServer(),
      bluesky: new BlueskyServer(),
      igdb: new IgdbServer(),
    };
    for (const server of Object.values(servers)) {
      server.now = timer.now;
      await server.start();
    }
  });
  afterEach(async () => {
    for (const server of Object.values(servers)) await server.stop();
  });

  it(
    'takes the fewest calls and the planned units, and the service answers about all',
    async () => {
      const ids = {
        twitch: servers.twitch.add(CREATORS.twitch, { videos: 1 }),
        youtube: servers.youtube.add(CREATORS.youtube, { videos: 50 }),
        bluesky: servers.bluesky.add(CREATORS.bluesky, { posts: 1 }),
      };
      const { database } = service();
      for (const source of CREATOR_SOURCES) {
        const creators = watched(source, ids[source]);
        const { environment } = servers[source];
        const collector = simulate({ database, source, environment, timer, creators });
        await collector.run();
        const plan = planOf(COLLECT_PLATFORMS[source], creators, null);
        expect([source, servers[source].calls.length]).toEqual([source, FEWEST[source]]);
        expect(collector.calls).toMatchObject({
          units: plan.first_units,
          answered: FEWEST[source],
          failed: 0,
          rejected: 0,
        });
        for (const id of [ids[source][0], ids[source].at(-1)]) {
          const { status } = await service().get(`/platforms/${SOURCE_PLATFORMS[source]}/profiles/${id}`);
          expect([id, status]).toEqual([id, 200]);
        }
      }
      servers.igdb.add(GAMES);
      const games = simulateGames({ database, environment: servers.igdb.environment, timer, isAll: true });
      await games.run();
      const pages = Math.ceil(GAMES / GAMES_PER_CALL);
      expect(servers.igdb.calls).toHaveLength(pages);
      expect(games.calls).toMatchObject({ units: pages, answered: pages, failed: 0, rejected: 0 });
      for (const name of ['Game 1', `Game ${GAMES}`]) {
        const { body } = await service().get(`/games/search?query=${encodeURIComponent(name)}&exact=true`);
        expect(body.payload).toMatchObject([{ name }]);
      }
    },
    600_000 * SCALE,
  );
});
