import { EntitySchema } from 'typeorm';
import { bigintColumn, bytewiseColumn, documentColumn, idColumn, type Dialect } from '../../database/columns.js';
import { MAX_GAME_NAME_BYTES } from './game.js';

/** A stored game: the metadata document, and the columns that are searched or sorted by. */
export interface StoredGame {
  /** Row number; stands for the game in the search index, where the ID would take more memory. */
  num: number;
  id: string;
  name: string;
  live_platform_id: string | null;
  video_platform_id: string | null;
  /** The rating count negated, so that one ascending index holds the order of search results; 2^53 where unknown. */
  unpopularity: number;
  /** The import that wrote the row last (`counters.games_revision`): tells search indexes what they lack. */
  revision: number;
  document: string;
}

export const gameEntity = (dialect: Dialect) =>
  new EntitySchema<StoredGame>({
    name: 'games',
    columns: {
      num: { type: dialect === 'mysql' ? 'int' : 'integer', primary: true, generated: 'increment' },
      id: idColumn(dialect),
      name: bytewiseColumn(dialect, MAX_GAME_NAME_BYTES),
      live_platform_id: idColumn(dialect, { nullable: true }),
      video_platform_id: idColumn(dialect, { nullable: true }),
      unpopularity: bigintColumn(),
      revision: bigintColumn(),
      document: documentColumn(dialect),
    },
    indices: [
      { name: 'games_by_id', columns: ['id'], unique: true },
      { name: 'games_by_live_platform_id', columns: ['live_platform_id', 'id'] },
      { name: 'games_by_video_platform_id', columns: ['video_platform_id', 'id'] },
      { name: 'games_by_popularity', columns: ['unpopularity', 'name', 'id'] },
      { name: 'games_by_revision', columns: ['revision', 'num'] },
    ],
  });
