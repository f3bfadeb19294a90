import type { Database } from '../../database/database.js';
import { GameEntity } from '../../features/games/game.entity.js';
import type { ChapterGames } from '../../sources/assemble/chapter-games.js';

/** Games per read. */
const PAGE_SIZE = 1000;

/** Adds all games of the database, if a chapter is known by title only. It reads all, because names have no index of their own. */
export async function loadChapterGames(database: Database, chapters: ChapterGames): Promise<void> {
  if (!chapters.hasUnmatchedChapters) return;
  const games = database.list({
    entity: GameEntity,
    filters: [],
    columns: ['name', 'live_platform_id'],
    keys: ['unpopularity', 'name', 'id'],
  });
  for await (const page of database.pages(games, { filters: [], limit: PAGE_SIZE })) {
    for (const { name, live_platform_id: id } of page) if (id !== null) chapters.add(name, id);
  }
}
