import type { Category, Chapter } from '../../features/content/content.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import type { Join, Snapshot } from './join.js';

/** What is known of a category besides its ID. */
export type CategoryDetails = Omit<Category, 'id' | 'type'>;

/** Finds what is known of a category; null for nothing. */
export type FindCategory = (platform: Platform, id: string, isGame: boolean) => CategoryDetails | null;

const isGame = (platform: Platform, { type }: Pick<Category, 'type'>): boolean => type === `${platform}_game`;

/** Fills in what a category lacks. */
function completed(category: Category, platform: Platform, find: FindCategory): Category {
  const { id, type, name, gamedb_id, gamedb_name, gamedb_slug } = category;
  const found = find(platform, id, isGame(platform, category));
  return {
    id,
    type,
    name: found?.name ?? name,
    gamedb_id: gamedb_id ?? found?.gamedb_id ?? null,
    gamedb_name: gamedb_name ?? found?.gamedb_name ?? null,
    gamedb_slug: gamedb_slug ?? found?.gamedb_slug ?? null,
  };
}

/** The categories of an item: games it was seen with, in the order of time, then the others it has. */
export function categoriesOf(
  platform: Platform,
  own: readonly Category[],
  snapshots: readonly Snapshot[],
  find: FindCategory,
): Category[] {
  const categories = new Map<string, Category>();
  const add = (category: Category) => {
    const key = `${category.type} ${category.id}`;
    const before = categories.get(key);
    if (before === undefined) categories.set(key, category);
    else if (before.name === null && category.name !== null) categories.set(key, { ...before, name: category.name });
  };
  for (const { game } of snapshots) {
    if (game !== null) {
      add({ ...game, type: 'live_platform_game', gamedb_id: null, gamedb_name: null, gamedb_slug: null });
    }
  }
  for (const category of own) add(category);
  return Array.from(categories.values(), (category) => completed(category, platform, find));
}

/** Chapters with what is known of their categories. */
export const chaptersOf = (platform: Platform, chapters: readonly Chapter[], find: FindCategory): Chapter[] =>
  chapters.map((chapter) => ({
    ...chapter,
    categories: chapter.categories.map((category) => completed(category, platform, find)),
  }));

/** Look-ups of categories are few and repeat for every item; this many are kept. */
const MOST_KEPT = 20_000;

/** Finds categories among the names, links and games of the run. Call it when the games are joined. */
export function categoriesOfRun(join: Join): FindCategory {
  const kept = new Map<string, CategoryDetails | null>();
  return (platform, id, game) => {
    const key = `${platform} ${Number(game)} ${id}`;
    const before = kept.get(key);
    if (before !== undefined) return before;
    if (kept.size >= MOST_KEPT) kept.clear();
    const found = findInRun(join, platform, id, game);
    kept.set(key, found);
    return found;
  };
}

function findInRun(join: Join, platform: Platform, id: string, game: boolean): CategoryDetails | null {
  const code = platformCode(platform);
  const named = join.get<{ name: string }>('SELECT name FROM category_names WHERE platform = ? AND id = ?', code, id);
  const linked = game
    ? join.get<{ game_id: string; name: string | null; slug: string | null }>(
        `SELECT game_id, name, slug FROM game_links LEFT JOIN known_games ON known_games.id = game_id
         WHERE platform = ? AND platform_id = ? ORDER BY is_own DESC, length(game_id), game_id LIMIT 1`,
        code,
        id,
      )
    : undefined;
  if (named === undefined && linked === undefined) return null;
  return {
    name: named?.name ?? null,
    gamedb_id: linked === undefined ? null : gamedbId(linked.game_id),
    gamedb_name: linked?.name ?? null,
    gamedb_slug: linked?.slug ?? null,
  };
}

/** A game's ID as categories have it: a number, unless the game database were to change. */
export function gamedbId(id: string): number | null {
  const number = /^\d+$/.test(id) ? Number(id) : NaN;
  return Number.isSafeInteger(number) ? number : null;
}
