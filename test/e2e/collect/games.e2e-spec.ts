import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { GameEntity } from '../../../src/features/games/game.entity.js';
import { removeCollected } from '../../support/collect/remove-collected.js';
import { SimulatedSources } from '../../support/collect/simulated-sources.js';
import { Killed, simulateGames } from '../../support/collect/simulation.js';
import { removeAll } from '../../support/lists/lists.js';
import { aContent, liveGame } from '../../support/records/builders.js';
import { describeService } from '../../support/service/test-service.js';
import { withoutSqlCheck } from '../../support/sql/sql-list.js';

const START = Date.parse('2026-03-02T12:00:00Z');
const DAY_MS = 86_400_000;

describeService('collecting games', (service) => {
  let sources: SimulatedSources;
  beforeEach(async () => {
    sources = await SimulatedSources.start(service().database, START);
    await removeAll(service());
    await removeCollected(service().database);
    const { dataSource } = service().database;
    await withoutSqlCheck(() => dataSource.createQueryBuilder().delete().from(GameEntity).execute());
  });
  afterEach(() => sources.stop());

  const games = (more: { isAll?: boolean; isLoop?: boolean } = {}) =>
    simulateGames({
      database: service().database,
      environment: sources.igdb.environment,
      timer: sources.timer,
      ...more,
    });

  it('asks for a page that IGDB rejects once a day in a loop, and goes on when it is answered', async () => {
    const { igdb, timer } = sources;
    igdb.add(501);
    igdb.override = ({ path, body, at }) =>
      path === '/v4/games' && body.includes('id > 500') && at < START + 2.5 * DAY_MS
        ? { status: 400, body: [{ title: 'Syntax Error', status: 400 }] }
        : null;
    timer.stopAt = START + 4 * DAY_MS;
    const collector = games({ isAll: true, isLoop: true });
    await collector.run();
    expect(collector.calls).toMatchObject({ answered: 2, rejected: 3, failed: 0 });
    expect(igdb.calls).toHaveLength(5);
  });

  it('takes a list without games for an outage, and asks again', async () => {
    const { igdb, timer } = sources;
    igdb.add(3);
    const error = [{ title: 'Syntax Error', status: 400, cause: 'x' }];
    igdb.override = ({ path }) => (path === '/v4/games' ? { status: 200, body: error } : null);
    const collector = games({ isAll: true });
    await collector.run();
    expect(collector.calls).toMatchObject({ answered: 0, failed: 1 });
    igdb.override = () => null;
    timer.time += DAY_MS;
    const next = games({ isAll: true });
    await next.run();
    expect(next.calls.written.get('games')).toBe(3);
  });

  it('waits for the page of a collector that was killed', async () => {
    const { igdb, timer } = sources;
    igdb.add(3);
    timer.killAt = timer.time;
    await expect(games({ isAll: true }).run()).rejects.toThrow(Killed);
    timer.killAt = Infinity;
    const next = games({ isAll: true });
    await next.run();
    expect(next.calls.written.get('games')).toBe(3);
    expect(timer.time - START).toBeLessThan(120_000);
  });

  it('pages on when categories have more games than one answer', async () => {
    const { igdb } = sources;
    await service().load('content', aContent({ categories: [liveGame('7'), liveGame('8')] }));
    for (let id = 1; id <= 1200; id += 1) {
      igdb.games.push({ id, name: `Game ${id}`, twitchId: id % 2 === 0 ? '7' : '8' });
    }
    const collector = games();
    await collector.run();
    expect(collector.calls.written.get('games')).toBe(1200);
    // The sweep is complete, and not due.
    expect(igdb.calls).toHaveLength(3);
    await games().run();
    expect(igdb.calls).toHaveLength(3);
  });
});
