import type { Reader } from '../../database/database.js';
import type { Category, Chapter } from '../../features/content/content.js';
import { GameEntity } from '../../features/games/game.entity.js';
import type { GameDetails } from '../../features/games/game.js';
import type { Platform } from '../../model/platforms.js';
import { parseGamedbId, type CategoryDetails, type FindCategory } from '../../sources/assemble/categories.js';
import type { Members } from '../../sources/assemble/observations.js';
import { memberValue } from '../../sources/assemble/observations.js';
import type { Snapshot } from '../../sources/assemble/fragment-store.js';

/** A category of a content item that is a game. */
interface GameCategory {
  readonly platform: Platform;
  readonly id: string;
}

/** Maximum number of games cached between batches. Few games have most of the content. */
const MAX_CACHED = 20_000;

/** Cache that resolves categories to games in the database. */
export class LoadedGames {
  /** By category; null: no such game. */
  readonly #byCategory = new Map<string, GameDetails | null>();
  /** By ID in the game database; null: no such game. */
  readonly #byId = new Map<number, GameDetails | null>();

  /** Bounds the cache. Call it between batches, whose records use what was loaded for them. */
  trim(): void {
    if (this.#byCategory.size > MAX_CACHED) this.#byCategory.clear();
    if (this.#byId.size > MAX_CACHED) this.#byId.clear();
  }

  /** Loads the games that records need. @param findInRun finds the categories of the run */
  async load(reader: Reader, categories: readonly GameCategory[], findInRun: FindCategory): Promise<void> {
    const unknown = categories.filter((category) => !this.#byCategory.has(keyOf(category)));
    for (const platform of ['live_platform', 'video_platform'] as const) {
      const ids = unknown.filter((category) => category.platform === platform).map(({ id }) => id);
      await this.#loadByCategory(reader, platform, [...new Set(ids)]);
    }
    const gameIds = categories.flatMap(({ platform, id }) => findInRun(platform, id, true)?.gamedb_id ?? []);
    await this.#loadById(
      reader,
      [...new Set(gameIds)].filter((gameId) => !this.#byId.has(gameId)),
    );
  }

  async #loadByCategory(reader: Reader, platform: 'live_platform' | 'video_platform', ids: string[]): Promise<void> {
    if (ids.length === 0) return;
    const byCategory = reader.lookup({
      entity: GameEntity,
      group: null,
      id: `${platform}_id` as const,
      columns: ['document'],
    });
    const games = await reader.findMany(byCategory, null, ids);
    // Fill the cache only after the read: a failed transaction is retried.
    for (const id of ids) this.#byCategory.set(keyOf({ platform, id }), null);
    for (const { document } of games) {
      const game = JSON.parse(String(document)) as GameDetails;
      const key = keyOf({ platform, id: game[`${platform}_id`] ?? '' });
      const current = this.#byCategory.get(key) ?? null;
      if (current === null || Number(game.id) < Number(current.id)) this.#byCategory.set(key, game);
    }
  }

  async #loadById(reader: Reader, gameIds: readonly number[]): Promise<void> {
    if (gameIds.length === 0) return;
    const byId = reader.lookup({ entity: GameEntity, group: null, id: 'id', columns: ['document'] });
    const games = await reader.findMany(byId, null, gameIds.map(String));
    for (const gameId of gameIds) this.#byId.set(gameId, null);
    for (const { id, document } of games) {
      this.#byId.set(Number(id), JSON.parse(String(document)) as GameDetails);
    }
  }

  /** Returns a look-up that uses the categories of the run, and falls back to the games in the database. */
  withFallback(findInRun: FindCategory): FindCategory {
    return (platform, id, isGame) => {
      const found = findInRun(platform, id, isGame);
      if (!isGame) return found;
      const gameId = found?.gamedb_id ?? null;
      const game = gameId === null ? this.#byCategory.get(keyOf({ platform, id })) : this.#byId.get(gameId);
      if (game === undefined || game === null) return found;
      const loaded = detailsOf(game);
      return {
        name: found?.name ?? null,
        gamedb_id: gameId ?? loaded.gamedb_id,
        gamedb_name: found?.gamedb_name ?? loaded.gamedb_name,
        gamedb_slug: found?.gamedb_slug ?? loaded.gamedb_slug,
      };
    };
  }
}

const keyOf = ({ platform, id }: GameCategory): string => `${platform} ${id}`;

const detailsOf = ({ id, name, slug }: GameDetails): CategoryDetails => ({
  name: null,
  gamedb_id: parseGamedbId(id),
  gamedb_name: name,
  gamedb_slug: slug,
});

/** Lists the game categories of a content item, its chapters and its snapshots. */
export function listGameCategories(
  platform: Platform,
  members: Members,
  snapshots: readonly Snapshot[],
): GameCategory[] {
  const chapters = memberValue<Chapter[]>(members, 'chapters') ?? [];
  const all = [
    ...(memberValue<Category[]>(members, 'categories') ?? []),
    ...chapters.flatMap((chapter) => chapter.categories),
  ];
  const ids = new Set(all.filter(({ type }) => type === `${platform}_game`).map(({ id }) => id));
  for (const { game } of snapshots) if (game !== null) ids.add(game.id);
  return Array.from(ids, (id) => ({ platform, id }));
}
