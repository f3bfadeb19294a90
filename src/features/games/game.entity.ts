import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { BigintColumn, BytewiseColumn, DocumentColumn, IdColumn, UNKNOWN_SORT_VALUE } from '../../database/columns.js';
import type { Stored } from '../../database/statements.js';
import { MAX_GAME_NAME_BYTES, type GameDetails } from './game.js';

/** A stored game: the metadata document, and the columns that are searched or sorted by. */
@Entity('games')
@Index('games_by_id', ['id'], { unique: true })
@Index('games_by_live_platform_id', ['live_platform_id', 'id'])
@Index('games_by_video_platform_id', ['video_platform_id', 'id'])
@Index('games_by_popularity', ['unpopularity', 'name', 'id'])
@Index('games_by_revision', ['revision', 'num'])
export class GameEntity {
  /** Row number; stands for the game in the search index, where the ID would take more memory. */
  @PrimaryGeneratedColumn({ type: 'int' }) num: number;
  @IdColumn() id: string;
  @BytewiseColumn(MAX_GAME_NAME_BYTES) name: string;
  @IdColumn({ nullable: true }) live_platform_id: string | null;
  @IdColumn({ nullable: true }) video_platform_id: string | null;
  /** The rating count negated, so that one ascending index holds the order of search results; 2^53 where unknown. */
  @BigintColumn() unpopularity: number;
  /** The import that wrote the row last (`counters.games_revision`): tells search indexes what they lack. */
  @BigintColumn() revision: number;
  @DocumentColumn() document: Buffer;
}

/** Derives the columns beside the document. The import gives a game its number and revision. */
export function gameRowOf(game: GameDetails): Omit<Stored<GameEntity>, 'num' | 'revision' | 'document'> {
  return {
    id: game.id,
    name: game.name,
    live_platform_id: game.live_platform_id,
    video_platform_id: game.video_platform_id,
    unpopularity: game.total_rating_count === null ? -UNKNOWN_SORT_VALUE : -game.total_rating_count,
  };
}
