import { Column, Entity, Index } from 'typeorm';
import { BigintColumn, DocumentColumn, IdColumn, PlatformColumn } from '../../database/columns.js';

/**
 * A stored item of content: the document that is returned, and the columns that are searched or sorted by.
 *
 * An index for each list with and without `content_type`: (filters, created_at, ID), so a page reads what it returns.
 * The primary key, by which MySQL lays out the documents, is that of the platform's list: a page lies together, and so
 * do the newest items, which are what is read most, by creator and by game too. IDs are found through an index.
 */
// The embedded database lays rows out by their key only when told so; MySQL always does.
@Entity('content', { withoutRowid: true })
@Index('content_by_id', ['platform', 'content_id'], { unique: true })
@Index('content_by_kind', ['platform', 'kind', 'created_at', 'content_id'])
@Index('content_by_profile', ['platform', 'profile_id', 'created_at', 'content_id'])
@Index('content_by_profile_kind', ['platform', 'profile_id', 'kind', 'created_at', 'content_id'])
export class ContentEntity {
  @PlatformColumn({ primary: true }) platform: number;
  /** Milliseconds since 1970, `UNKNOWN_SORT_VALUE` where unknown. */
  @BigintColumn({ primary: true }) created_at: number;
  @IdColumn({ primary: true }) content_id: string;
  @IdColumn({ nullable: true }) profile_id: string | null;
  /** What `content_type` filters by: see `contentKind`. */
  @Column({ type: 'tinyint' }) kind: number;
  @DocumentColumn() document: Buffer;
}

/** How much text one item may repeat. Hardly any item has as many games and chapters, but a single line could. */
export const MAX_REPEATED_CHARACTERS = 256 * 1024;

/**
 * An item of content under one of its games; written with the item. It repeats the item's document, so that a page of
 * a game lies together and costs the database half of what finding each item would.
 */
@Entity('game_content', { withoutRowid: true })
@Index('game_content_by_kind', ['platform', 'game_id', 'kind', 'created_at', 'content_id'])
export class GameContentEntity {
  @PlatformColumn({ primary: true }) platform: number;
  /** The game's ID on the platform. */
  @IdColumn({ primary: true }) game_id: string;
  @BigintColumn({ primary: true }) created_at: number;
  @IdColumn({ primary: true }) content_id: string;
  @Column({ type: 'tinyint' }) kind: number;
  /** Null where the item has so many games that repeating it would take too much room: it is found by its ID then. */
  @DocumentColumn({ nullable: true }) document: Buffer | null;
}
