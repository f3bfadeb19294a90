import type { Category, Chapter } from '../../features/content/content.js';
import { platformCode } from '../../model/platforms.js';
import { foldTitle, unmatchedTitle } from './chapter-titles.js';
import type { FragmentStore } from './fragment-store.js';
import { memberValue, type Members } from './observations.js';

/**
 * Finds the games of chapters that have no category but are titled by the name of a game. If several games have the name,
 * uses the one with the lowest ID on the platform.
 */
export class ChapterGames {
  /** @param store the store, after all fragments were added */
  constructor(private readonly store: FragmentStore) {}

  /** Whether any chapter lacks a category. */
  get hasUnmatchedChapters(): boolean {
    return this.store.get('SELECT 1 FROM chapter_games LIMIT 1') !== undefined;
  }

  /** Assigns a game to the chapters titled by its name. */
  add(name: string, id: string): void {
    this.store.run(
      `UPDATE chapter_games SET id = ?1 WHERE title = ?2
       AND (id IS NULL OR length(id) > length(?1) OR (length(id) = length(?1) AND id > ?1))`,
      id,
      foldTitle(name),
    );
  }

  /** Adds the games of the run, then its categories for unmatched titles. Call it after the games were assembled. */
  addGamesOfRun(): void {
    if (!this.hasUnmatchedChapters) return;
    const live = platformCode('live_platform');
    const games = `SELECT name, platform_id AS id FROM game_links JOIN known_games ON known_games.id = game_id
      WHERE platform = ${live} AND name IS NOT NULL`;
    for (const { name, id } of this.store.rows<NamedId>(games)) this.add(name, id);
    const missing = 'SELECT title FROM chapter_games WHERE id IS NULL';
    const unnamed = new Set(this.store.all<{ title: string }>(missing).map(({ title }) => title));
    const categories = `SELECT name, id FROM category_names WHERE platform = ${live}
      UNION SELECT game_name, game_id FROM snapshots WHERE platform = ${live} AND game_name IS NOT NULL`;
    for (const { name, id } of this.store.rows<NamedId>(categories))
      if (unnamed.has(foldTitle(name))) this.add(name, id);
  }

  /** Adds the game of its title to each chapter without a category. */
  complete(members: Members): void {
    const chapters = memberValue<readonly Chapter[]>(members, 'chapters') ?? [];
    if (chapters.length === 0) return;
    const completed = chapters.map((chapter) => {
      const title = unmatchedTitle(chapter);
      const id = title === null ? null : this.#findId(title);
      return id === null ? chapter : { ...chapter, categories: [createGameCategory(id, title)] };
    });
    members.set('chapters', { at: members.get('chapters')?.at ?? 0, value: completed });
  }

  #findId(title: string): string | null {
    const sql = 'SELECT id FROM chapter_games WHERE title = ?';
    return this.store.get<{ id: string | null }>(sql, foldTitle(title))?.id ?? null;
  }
}

interface NamedId {
  readonly name: string;
  readonly id: string;
}

const createGameCategory = (id: string, name: string | null): Category => ({
  id,
  type: 'live_platform_game',
  name,
  gamedb_id: null,
  gamedb_name: null,
  gamedb_slug: null,
});
