import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { RecordLoader } from '../../database/record-loader.js';
import type { GamePlatform } from '../../model/platforms.js';
import { GameEntity } from './game.entity.js';
import type { GameDetails } from './game.js';

/** Namespace of a game ID: a platform or the game database. */
export type GameNamespace = GamePlatform | 'gamedb';

type GameRow = Pick<GameEntity, 'document' | 'unpopularity' | 'id'>;

/** All queries on single games. Game search has its own. */
@Injectable()
export class GamesQueries {
  readonly #byNamespace: Readonly<Record<GameNamespace, { find(group: null, id: string): Promise<GameRow | null> }>>;

  constructor(database: Database) {
    const loader = (id: 'live_platform_id' | 'video_platform_id' | 'id') =>
      new RecordLoader(
        database,
        { entity: GameEntity, group: null, id, columns: ['document', 'unpopularity', 'id'] },
        { isBetter: isMorePopular },
      );
    this.#byNamespace = {
      live_platform: loader('live_platform_id'),
      video_platform: loader('video_platform_id'),
      gamedb: loader('id'),
    };
  }

  /** Finds the document of a game; null if there is none. Of several games with one platform ID, the most popular one wins. */
  async find(namespace: GameNamespace, id: string): Promise<Buffer | null> {
    return (await this.#byNamespace[namespace].find(null, id))?.document ?? null;
  }

  /** Finds a game by its ID on a platform; null if there is none. */
  async findOnPlatform(platform: GamePlatform, gameId: string): Promise<GameDetails | null> {
    const document = await this.find(platform, gameId);
    return document === null ? null : (JSON.parse(String(document)) as GameDetails);
  }
}

function isMorePopular(game: GameRow, other: GameRow): boolean {
  const difference = game.unpopularity - other.unpopularity;
  return difference < 0 || (difference === 0 && game.id < other.id);
}
