import { Column, Entity, Index } from 'typeorm';
import { BigintColumn, DocumentColumn, IdColumn, PlatformColumn, sortableInstant } from '../../database/columns.js';
import type { Stored } from '../../database/statements.js';
import { platformCode } from '../../model/platforms.js';
import { contentKindCode } from './content-kind.js';
import type { Content } from './content.js';

/** Stored item: its document, filter columns and sort columns. Each list has an index of (filters, created_at, ID), with and
 * without `content_type`. The primary key is the index of the platform list. Rows are clustered by it, so the rows of a page are
 * adjacent. InnoDB always clusters by primary key, SQLite only `WITHOUT ROWID`. */
@Entity('content', { withoutRowid: true })
@Index('content_by_id', ['platform', 'content_id'], { unique: true })
@Index('content_by_kind', ['platform', 'kind', 'created_at', 'content_id'])
@Index('content_by_profile', ['platform', 'profile_id', 'created_at', 'content_id'])
@Index('content_by_profile_kind', ['platform', 'profile_id', 'kind', 'created_at', 'content_id'])
@Index('content_by_revision', ['platform', 'revision', 'content_id'])
export class ContentEntity {
  @PlatformColumn({ primary: true }) platform: number;
  /** Milliseconds since 1970, or `UNKNOWN_SORT_VALUE`. */
  @BigintColumn({ primary: true }) created_at: number;
  @IdColumn({ primary: true }) content_id: string;
  @IdColumn({ nullable: true }) profile_id: string | null;
  @Column({ type: 'tinyint' }) kind: number;
  @DocumentColumn() document: Buffer;
  /** `counters` value of the import that last changed the document; 0 for a record that was stored before changes were counted. */
  @BigintColumn({ default: 0 }) revision: number;
  /** Time of that change, in milliseconds since 1970; 0 if it is unknown. */
  @BigintColumn({ default: 0 }) changed_at: number;
}

/** Maximum text that the `game_content` rows of one item repeat, so that one line with many games cannot fill the database. */
export const MAX_REPEATED_CHARACTERS = 256 * 1024;

/** Item in the list of one of its games. It repeats the document, so that a page needs no look-ups by ID. */
@Entity('game_content', { withoutRowid: true })
@Index('game_content_by_kind', ['platform', 'game_id', 'kind', 'created_at', 'content_id'])
export class GameContentEntity {
  @PlatformColumn({ primary: true }) platform: number;
  @IdColumn({ primary: true }) game_id: string;
  @BigintColumn({ primary: true }) created_at: number;
  @IdColumn({ primary: true }) content_id: string;
  @Column({ type: 'tinyint' }) kind: number;
  /** Null if repeating the document would exceed `MAX_REPEATED_CHARACTERS`; the list then looks it up by ID. */
  @DocumentColumn({ nullable: true }) document: Buffer | null;
}

/** Derives the columns beside the document from the item. The import assigns `revision` and `changed_at`. */
export function deriveContentRow(
  content: Content,
): Omit<Stored<ContentEntity>, 'document' | 'revision' | 'changed_at'> {
  return {
    platform: platformCode(content.platform),
    created_at: sortableInstant(content.created_at),
    content_id: content.content_id,
    profile_id: content.profile_id,
    kind: contentKindCode(content.type),
  };
}

/** Derives one row per game of an item: the categories of the item and of its chapters that are games of its platform. */
export function deriveGameContentRows(content: Content): Omit<Stored<GameContentEntity>, 'document'>[] {
  const { profile_id: _profile, ...row } = deriveContentRow(content);
  const gameType = `${content.platform}_game`;
  const gameIds = new Set<string>();
  for (const { categories } of [content, ...content.chapters]) {
    for (const { type, id } of categories) if (type === gameType) gameIds.add(id);
  }
  return Array.from(gameIds, (game_id) => ({ ...row, game_id }));
}
