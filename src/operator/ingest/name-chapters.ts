import type { Database } from '../../database/database.js';
import { GameEntity } from '../../features/games/game.entity.js';
import type { ChapterGames } from '../../sources/assemble/chapter-games.js';

/** Games read at once. */
const PAGE = 1000;

/** Lets chapters be named by all loaded games, where any is known by its title alone: names have no index by themselves. */
export async function addLoadedGames(database: Database, chapters: ChapterGames): Promise<void> {
  if (!chapters.isNeeded) return;
  const games = database.list({
    entity: GameEntity,
    filters: [],
    columns: ['name', 'live_platform_id'],
    keys: ['unpopularity', 'name', 'id'],
  });
  for await (const page of database.pages(games, { filters: [], limit: PAGE })) {
    for (const { name, live_platform_id: id } of page) if (id !== null) chapters.add(name, id);
  }
}
