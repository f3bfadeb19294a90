import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { RecordLoader } from '../../database/record-loader.js';
import type { GamePlatform } from '../../model/platforms.js';
import { GameEntity } from './game.entity.js';
import type { GameDetails } from './game.js';

/** Where a game ID counts: on a platform, or in the game database. */
export type GameNamespace = GamePlatform | 'gamedb';

type Found = Pick<GameEntity, 'document' | 'unpopularity' | 'id'>;

/** Every statement on single games; search has its own. */
@Injectable()
export class GamesQueries {
  readonly #byNamespace: Readonly<Record<GameNamespace, { find(group: null, id: string): Promise<Found | null> }>>;

  constructor(database: Database) {
    const loader = (id: 'live_platform_id' | 'video_platform_id' | 'id') =>
      new RecordLoader(
        database,
        { entity: GameEntity, group: null, id, columns: ['document', 'unpopularity', 'id'] },
        { isBetter: morePopular },
      );
    this.#byNamespace = {
      live_platform: loader('live_platform_id'),
      video_platform: loader('video_platform_id'),
      gamedb: loader('id'),
    };
  }

  /** @returns the metadata document, or null; of several games with one platform ID, the most popular */
  async find(namespace: GameNamespace, id: string): Promise<Buffer | null> {
    return (await this.#byNamespace[namespace].find(null, id))?.document ?? null;
  }

  /** The game behind a platform's ID, null where it was never loaded. */
  async findOnPlatform(platform: GamePlatform, gameId: string): Promise<GameDetails | null> {
    const document = await this.find(platform, gameId);
    return document === null ? null : (JSON.parse(String(document)) as GameDetails);
  }
}

function morePopular(game: Found, other: Found): boolean {
  const difference = game.unpopularity - other.unpopularity;
  return difference < 0 || (difference === 0 && game.id < other.id);
}
