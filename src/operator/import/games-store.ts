import { CounterEntity } from '../../database/counter.entity.js';
import type { Writer } from '../../database/database.js';
import { GameEntity } from '../../features/games/game.entity.js';
import { named, type Prepared } from './stored-rows.js';

const COLUMNS = ['id', 'name', 'live_platform_id', 'video_platform_id', 'unpopularity', 'document'] as const;

/** Stores games under a new revision, by which search indexes learn what has changed. */
export async function writeGames(writer: Writer, records: readonly Prepared[]): Promise<void> {
  const rows = records.map(({ row }) => row);
  const games = named(GameEntity, COLUMNS, rows);
  const revision = await nextRevision(writer);
  const byId = writer.lookup({ entity: GameEntity, group: null, id: 'id', columns: ['num'] });
  const ids = games.map(({ id }) => id);
  const numbers = new Map((await writer.findMany(byId, null, ids)).map(({ id, num }) => [id, num]));
  // Known games keep their number: inserting them without one would use up a new number each time.
  const known: Partial<GameEntity>[] = [];
  const unknown: Partial<GameEntity>[] = [];
  for (const game of games) {
    const num = numbers.get(game.id);
    if (num === undefined) unknown.push({ ...game, revision });
    else known.push({ ...game, revision, num });
  }
  await Promise.all([writer.upsert(GameEntity, known), writer.upsert(GameEntity, unknown, { key: ['id'] })]);
}

async function nextRevision(writer: Writer): Promise<number> {
  const name = 'games_revision';
  await writer.upsert(CounterEntity, [{ name, value: 1 }], { add: ['value'] });
  const byName = writer.lookup({ entity: CounterEntity, group: null, id: 'name', columns: ['value'] });
  const [counter] = await writer.findMany(byName, null, [name]);
  return counter?.value ?? 0;
}
