import { Inject, Injectable } from '@nestjs/common';
import type { Database, Row } from '../../database/database.js';
import { DATABASE } from '../../database/database.token.js';
import { RecordLoader } from '../../database/record-loader.js';
import type { Platform } from '../../model/platforms.js';
import type { GameDetails } from './game.js';

/** Where a game ID counts: on a platform, or in the game database. */
export type GameNamespace = Extract<Platform, 'live_platform' | 'video_platform'> | 'gamedb';

/** Every statement on single games; search has its own. */
@Injectable()
export class GamesQueries {
  readonly #byNamespace: Readonly<Record<GameNamespace, RecordLoader>>;

  constructor(@Inject(DATABASE) database: Database) {
    const loader = (id: string) =>
      new RecordLoader(
        database,
        { table: 'games', group: null, id, index: `games_by_${id}`, columns: ['document', 'unpopularity', 'id'] },
        false,
        morePopular,
      );
    this.#byNamespace = {
      live_platform: loader('live_platform_id'),
      video_platform: loader('video_platform_id'),
      gamedb: loader('id'),
    };
  }

  /** @returns the metadata document, or null; of several games with one platform ID, the most popular */
  async find(namespace: GameNamespace, id: string): Promise<Buffer | null> {
    const row = await this.#byNamespace[namespace].find(null, id);
    return row === null ? null : (row[1] as Buffer);
  }

  /** The game behind a platform's ID, null where it was never loaded. */
  async findOnPlatform(platform: Platform, gameId: string): Promise<GameDetails | null> {
    const document = await this.find(platform as GameNamespace, gameId);
    return document === null ? null : (JSON.parse(String(document)) as GameDetails);
  }
}

function morePopular([, , unpopularity, id]: Row, [, , otherUnpopularity, otherId]: Row): boolean {
  const difference = Number(unpopularity) - Number(otherUnpopularity);
  return difference < 0 || (difference === 0 && String(id) < String(otherId));
}
