import type { Category, Chapter } from '../../features/content/content.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import type { FragmentStore, Snapshot } from './fragment-store.js';

/** A category's name and game. */
export type CategoryDetails = Omit<Category, 'id' | 'type'>;

/** Finds the details of a category, or null if there are none. */
export type FindCategory = (platform: Platform, id: string, isGame: boolean) => CategoryDetails | null;

const isGame = (platform: Platform, { type }: Pick<Category, 'type'>): boolean => type === `${platform}_game`;

/** Fills in the details of a category. */
function withDetails(category: Category, platform: Platform, find: FindCategory): Category {
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

/** Returns the categories of an item: the games of its snapshots by time, then its own categories. */
export function mergeCategories(
  platform: Platform,
  own: readonly Category[],
  snapshots: readonly Snapshot[],
  find: FindCategory,
): Category[] {
  const categories = new Map<string, Category>();
  const add = (category: Category) => {
    const key = `${category.type} ${category.id}`;
    const existing = categories.get(key);
    if (existing === undefined) categories.set(key, category);
    else if (existing.name === null && category.name !== null)
      categories.set(key, { ...existing, name: category.name });
  };
  for (const { game } of snapshots) {
    if (game !== null) {
      add({ ...game, type: 'live_platform_game', gamedb_id: null, gamedb_name: null, gamedb_slug: null });
    }
  }
  for (const category of own) add(category);
  return Array.from(categories.values(), (category) => withDetails(category, platform, find));
}

/** Fills in the details of the chapters' categories. */
export const completeChapters = (platform: Platform, chapters: readonly Chapter[], find: FindCategory): Chapter[] =>
  chapters.map((chapter) => ({
    ...chapter,
    categories: chapter.categories.map((category) => withDetails(category, platform, find)),
  }));

/** Entries of the look-up cache: a run has few categories, which repeat for every item. */
const MAX_CACHED = 20_000;

/** Creates a cached look-up in the names, links and games of the run. Call it after the games were assembled. */
export function createCategoryFinder(store: FragmentStore): FindCategory {
  const cache = new Map<string, CategoryDetails | null>();
  return (platform, id, game) => {
    const key = `${platform} ${Number(game)} ${id}`;
    const existing = cache.get(key);
    if (existing !== undefined) return existing;
    if (cache.size >= MAX_CACHED) cache.clear();
    const found = findInRun(store, platform, id, game);
    cache.set(key, found);
    return found;
  };
}

function findInRun(store: FragmentStore, platform: Platform, id: string, game: boolean): CategoryDetails | null {
  const code = platformCode(platform);
  const named = store.get<{ name: string }>('SELECT name FROM category_names WHERE platform = ? AND id = ?', code, id);
  const linked = game
    ? store.get<{ game_id: string; name: string | null; slug: string | null }>(
        `SELECT game_id, name, slug FROM game_links LEFT JOIN known_games ON known_games.id = game_id
         WHERE platform = ? AND platform_id = ? ORDER BY is_own DESC, length(game_id), game_id LIMIT 1`,
        code,
        id,
      )
    : undefined;
  if (named === undefined && linked === undefined) return null;
  return {
    name: named?.name ?? null,
    gamedb_id: linked === undefined ? null : parseGamedbId(linked.game_id),
    gamedb_name: linked?.name ?? null,
    gamedb_slug: linked?.slug ?? null,
  };
}

/** Parses a game's ID into the number that categories contain, or null if it is not a safe integer. */
export function parseGamedbId(id: string): number | null {
  const number = /^\d+$/.test(id) ? Number(id) : NaN;
  return Number.isSafeInteger(number) ? number : null;
}
