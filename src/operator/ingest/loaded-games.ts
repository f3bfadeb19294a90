import type { Writer } from '../../database/database.js';
import type { Category, Chapter } from '../../features/content/content.js';
import { GameEntity } from '../../features/games/game.entity.js';
import type { GameDetails } from '../../features/games/game.js';
import type { Platform } from '../../model/platforms.js';
import { gamedbId, type CategoryDetails, type FindCategory } from '../../sources/assemble/categories.js';
import type { Members } from '../../sources/assemble/members.js';
import { valueOf } from '../../sources/assemble/members.js';
import type { Snapshot } from '../../sources/assemble/join.js';

/** A category of an item that is a game. */
interface GameCategory {
  readonly platform: Platform;
  readonly id: string;
}

/** The most games that are kept between batches: few games have most of the content. */
const MOST_KEPT = 20_000;

/** Tells of a category which loaded game it is. */
export class LoadedGames {
  /** By category, null for none. */
  readonly #found = new Map<string, GameDetails | null>();
  /** By ID in the game database. */
  readonly #byId = new Map<number, GameDetails | null>();

  /** Looks up what a batch needs. */
  async load(writer: Writer, categories: readonly GameCategory[], ofRun: FindCategory): Promise<void> {
    if (this.#found.size > MOST_KEPT) this.#found.clear();
    if (this.#byId.size > MOST_KEPT) this.#byId.clear();
    const unknown = categories.filter((category) => !this.#found.has(keyOf(category)));
    for (const platform of ['live_platform', 'video_platform'] as const) {
      const ids = unknown.filter((category) => category.platform === platform).map(({ id }) => id);
      await this.#loadByCategory(writer, platform, [...new Set(ids)]);
    }
    const numbers = categories.flatMap(({ platform, id }) => ofRun(platform, id, true)?.gamedb_id ?? []);
    await this.#loadById(
      writer,
      [...new Set(numbers)].filter((number) => !this.#byId.has(number)),
    );
  }

  async #loadByCategory(writer: Writer, platform: 'live_platform' | 'video_platform', ids: string[]): Promise<void> {
    if (ids.length === 0) return;
    const byCategory = writer.lookup({
      entity: GameEntity,
      group: null,
      id: `${platform}_id` as const,
      columns: ['document'],
    });
    const found = await writer.findMany(byCategory, null, ids);
    // Only now: a transaction that failed runs again.
    for (const id of ids) this.#found.set(keyOf({ platform, id }), null);
    for (const { document } of found) {
      const game = JSON.parse(String(document)) as GameDetails;
      const key = keyOf({ platform, id: game[`${platform}_id`] ?? '' });
      const before = this.#found.get(key) ?? null;
      if (before === null || Number(game.id) < Number(before.id)) this.#found.set(key, game);
    }
  }

  async #loadById(writer: Writer, numbers: readonly number[]): Promise<void> {
    if (numbers.length === 0) return;
    const byId = writer.lookup({ entity: GameEntity, group: null, id: 'id', columns: ['document'] });
    const found = await writer.findMany(byId, null, numbers.map(String));
    for (const number of numbers) this.#byId.set(number, null);
    for (const { id, document } of found) {
      this.#byId.set(Number(id), JSON.parse(String(document)) as GameDetails);
    }
  }

  /** What the run says of a category, and else the loaded games. */
  besides(ofRun: FindCategory): FindCategory {
    return (platform, id, isGame) => {
      const found = ofRun(platform, id, isGame);
      if (!isGame) return found;
      const number = found?.gamedb_id ?? null;
      const game = number === null ? this.#found.get(keyOf({ platform, id })) : this.#byId.get(number);
      if (game === undefined || game === null) return found;
      const loaded = detailsOf(game);
      return {
        name: found?.name ?? null,
        gamedb_id: number ?? loaded.gamedb_id,
        gamedb_name: found?.gamedb_name ?? loaded.gamedb_name,
        gamedb_slug: found?.gamedb_slug ?? loaded.gamedb_slug,
      };
    };
  }
}

const keyOf = ({ platform, id }: GameCategory): string => `${platform} ${id}`;

const detailsOf = ({ id, name, slug }: GameDetails): CategoryDetails => ({
  name: null,
  gamedb_id: gamedbId(id),
  gamedb_name: name,
  gamedb_slug: slug,
});

/** The games that an item is filed under. */
export function gameCategories(platform: Platform, members: Members, snapshots: readonly Snapshot[]): GameCategory[] {
  const chapters = valueOf<Chapter[]>(members, 'chapters') ?? [];
  const all = [...(valueOf<Category[]>(members, 'categories') ?? []), ...chapters.flatMap((one) => one.categories)];
  const ids = new Set(all.filter(({ type }) => type === `${platform}_game`).map(({ id }) => id));
  for (const { game } of snapshots) if (game !== null) ids.add(game.id);
  return Array.from(ids, (id) => ({ platform, id }));
}
