import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { BigintColumn, BytewiseColumn, DocumentColumn, IdColumn, UNKNOWN_SORT_VALUE } from '../../database/columns.js';
import type { Stored } from '../../database/statements.js';
import { MAX_GAME_NAME_BYTES, type GameDetails } from './game.js';

/** Stored game: its document, and the columns to search and sort by. */
@Entity('games')
@Index('games_by_id', ['id'], { unique: true })
@Index('games_by_live_platform_id', ['live_platform_id', 'id'])
@Index('games_by_video_platform_id', ['video_platform_id', 'id'])
@Index('games_by_popularity', ['unpopularity', 'name', 'id'])
@Index('games_by_revision', ['revision', 'num'])
export class GameEntity {
  /** Row number, which identifies the game in the search index with less memory than the ID. */
  @PrimaryGeneratedColumn({ type: 'int' }) num: number;
  @IdColumn() id: string;
  @BytewiseColumn(MAX_GAME_NAME_BYTES) name: string;
  @IdColumn({ nullable: true }) live_platform_id: string | null;
  @IdColumn({ nullable: true }) video_platform_id: string | null;
  /** Negated rating count, so that one ascending index has the order of search results; 2^53 if unknown. */
  @BigintColumn() unpopularity: number;
  /** `counters.games_revision` of the import that last changed the row, by which search indexes and feeds find changed games. */
  @BigintColumn() revision: number;
  @DocumentColumn() document: Buffer;
  /** When the revision was assigned, in milliseconds since 1970; 0 for a game that was stored before this was kept. */
  @BigintColumn({ default: 0 }) changed_at: number;
}

/** Derives the columns beside the document from the game. The import assigns the others. */
export function deriveGameRow(
  game: GameDetails,
): Omit<Stored<GameEntity>, 'num' | 'revision' | 'changed_at' | 'document'> {
  return {
    id: game.id,
    name: game.name,
    live_platform_id: game.live_platform_id,
    video_platform_id: game.video_platform_id,
    unpopularity: game.total_rating_count === null ? -UNKNOWN_SORT_VALUE : -game.total_rating_count,
  };
}
