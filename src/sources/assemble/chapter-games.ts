import type { Category, Chapter } from '../../features/content/content.js';
import { platformCode } from '../../model/platforms.js';
import { foldedTitle, untoldTitle } from './chapter-titles.js';
import type { Join } from './join.js';
import { valueOf, type Members } from './members.js';

/**
 * Tells which game a chapter shows whose title, the name of a game, is all that is known of it. Of several games of a name
 * it is the one with the lowest ID on the platform.
 */
export class ChapterGames {
  /** @param join with all fragments */
  constructor(private readonly join: Join) {}

  /** Whether any chapter needs it. */
  get isNeeded(): boolean {
    return this.join.get('SELECT 1 FROM chapter_games LIMIT 1') !== undefined;
  }

  /** Adds a game. */
  add(name: string, id: string): void {
    this.join.run(
      `UPDATE chapter_games SET id = ?1 WHERE title = ?2
       AND (id IS NULL OR length(id) > length(?1) OR (length(id) = length(?1) AND id > ?1))`,
      id,
      foldedTitle(name),
    );
  }

  /** Adds the games of the run, once they are joined; then the categories, for titles that are no game's. */
  addThoseOfRun(): void {
    if (!this.isNeeded) return;
    const live = platformCode('live_platform');
    const games = `SELECT name, platform_id AS id FROM game_links JOIN known_games ON known_games.id = game_id
      WHERE platform = ${live} AND name IS NOT NULL`;
    for (const { name, id } of this.join.rows<NamedId>(games)) this.add(name, id);
    const missing = 'SELECT title FROM chapter_games WHERE id IS NULL';
    const unnamed = new Set(this.join.all<{ title: string }>(missing).map(({ title }) => title));
    const categories = `SELECT name, id FROM category_names WHERE platform = ${live}
      UNION SELECT game_name, game_id FROM snapshots WHERE platform = ${live} AND game_name IS NOT NULL`;
    for (const { name, id } of this.join.rows<NamedId>(categories))
      if (unnamed.has(foldedTitle(name))) this.add(name, id);
  }

  /** Gives chapters without a category that of their title. */
  complete(members: Members): void {
    const chapters = valueOf<readonly Chapter[]>(members, 'chapters') ?? [];
    if (chapters.length === 0) return;
    const completed = chapters.map((chapter) => {
      const title = untoldTitle(chapter);
      const id = title === null ? null : this.#idOf(title);
      return id === null ? chapter : { ...chapter, categories: [gameOf(id, title)] };
    });
    members.set('chapters', { at: members.get('chapters')?.at ?? 0, value: completed });
  }

  #idOf(title: string): string | null {
    const sql = 'SELECT id FROM chapter_games WHERE title = ?';
    return this.join.get<{ id: string | null }>(sql, foldedTitle(title))?.id ?? null;
  }
}

interface NamedId {
  readonly name: string;
  readonly id: string;
}

const gameOf = (id: string, name: string | null): Category => ({
  id,
  type: 'live_platform_game',
  name,
  gamedb_id: null,
  gamedb_name: null,
  gamedb_slug: null,
});
