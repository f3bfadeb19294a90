import type { Database } from '../../database/database.js';
import { GameContentEntity } from '../../features/content/content.entity.js';
import { GameEntity } from '../../features/games/game.entity.js';
import { platformCode } from '../../model/platforms.js';
import type { PlatformRequest } from './collect-platform.js';
import { textAt } from './json-members.js';
import { CATEGORIES_PER_CALL, GAMES_PER_CALL, gamesAfter, gamesByCategory, gamesById } from './igdb.js';

/** One call of a sweep. */
export interface GamePage {
  readonly request: PlatformRequest;
  /** Where the next page begins, given the answer; null after the last page. */
  readonly next: (body: unknown) => string | null;
}

/** Pages over the games to ask for. */
export interface GameSweep {
  readonly name: 'games' | 'categories' | 'catalogue';
  /** Returns the page after a game or category; null: there is none. @param after null for the first page */
  readonly page: (database: Database, after: string | null) => Promise<GamePage | null>;
}

const NUMBER = /^\d{1,15}$/;

/** Asks for the stored games. */
const STORED: GameSweep = {
  name: 'games',
  page: async (database, after) => {
    const list = database.list({ entity: GameEntity, filters: [], keys: ['id'] as const, columns: [] });
    const cursor = after === null ? null : { id: after };
    const rows = await database.page(list, { filters: [], after: cursor, limit: GAMES_PER_CALL }, 'primary');
    const ids = rows.slice(0, GAMES_PER_CALL).map(({ id }) => String(id));
    const last = ids.at(-1);
    if (last === undefined) return null;
    return {
      // IGDB has no game 0, and no syntax for an empty list.
      request: gamesById(['0', ...ids.filter((id) => NUMBER.test(id))].slice(-GAMES_PER_CALL)),
      next: () => (rows.length > GAMES_PER_CALL ? last : null),
    };
  },
};

/** Returns the last game of a full page; null after the last page. @param after ID of the last one before */
function lastGame(body: unknown, after: string): string | null {
  const games = Array.isArray(body) ? (body as unknown[]) : [];
  const last = Math.max(...games.map((game) => Number(textAt(game, 'id') ?? NaN)));
  // Without progress, the same page would be requested forever.
  return games.length < GAMES_PER_CALL || !(last > Number(after)) ? null : String(last);
}

/** Sorts after every time and ID. */
const LAST_KEYS = { created_at: Number.MAX_SAFE_INTEGER, content_id: '\u{10ffff}' };

/** Page of games of some categories, which one answer cannot hold. */
interface CategoriesPage {
  readonly categories: readonly string[];
  /** ID of the last game before. */
  readonly game: string;
  /** Where the next categories begin; null: there are none. */
  readonly next: string | null;
}

/** Requests games of categories. The position is a JSON object while these have more pages, and then the ID of a category. */
function categoriesPage(page: CategoriesPage): GamePage {
  return {
    request: gamesByCategory(page.categories, page.game),
    next: (body) => {
      const game = lastGame(body, page.game);
      return game === null ? page.next : JSON.stringify({ ...page, game });
    },
  };
}

/** Requests the games of categories that occur in stored content but match no stored game. */
const CATEGORIES: GameSweep = {
  name: 'categories',
  page: async (database, after) => {
    if (after?.startsWith('{') === true) return categoriesPage(JSON.parse(after) as CategoriesPage);
    const list = database.list({
      entity: GameContentEntity,
      filters: ['platform'],
      keys: ['game_id', 'created_at', 'content_id'] as const,
      columns: [],
    });
    const byCategory = { entity: GameEntity, group: null, id: 'live_platform_id', columns: [] } as const;
    const lookup = database.lookup(byCategory);
    const unknown: string[] = [];
    let last = after;
    for (;;) {
      const cursor = last === null ? null : { game_id: last, ...LAST_KEYS };
      const request = { filters: [platformCode('live_platform')], after: cursor, limit: 0 };
      const [row] = await database.page(list, request, 'primary');
      if (row === undefined) break;
      last = String(row.game_id);
      const games = await database.findMany(lookup, null, [last], { source: 'primary' });
      if (games.length === 0 && NUMBER.test(last)) unknown.push(last);
      if (unknown.length === CATEGORIES_PER_CALL) break;
    }
    if (unknown.length === 0) return null;
    return categoriesPage({
      categories: unknown,
      game: '0',
      next: unknown.length === CATEGORIES_PER_CALL ? last : null,
    });
  },
};

/** Asks for the whole catalogue. */
const CATALOGUE: GameSweep = {
  name: 'catalogue',
  page: async (_database, after) => ({
    request: gamesAfter(after ?? '0'),
    next: (body) => lastGame(body, after ?? '0'),
  }),
};

/** Returns the sweeps of a run. @param isAll whether to ask for the whole catalogue */
export const gameSweeps = (isAll: boolean): readonly GameSweep[] => (isAll ? [CATALOGUE] : [STORED, CATEGORIES]);
