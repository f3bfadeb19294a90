import { Column, Entity, Index } from 'typeorm';
import { BigintColumn, DocumentColumn, IdColumn, PlatformColumn, sortableInstant } from '../../database/columns.js';
import type { Stored } from '../../database/statements.js';
import { platformCode } from '../../model/platforms.js';
import { contentKind } from './content-kind.js';
import type { Content } from './content.js';

/** A stored item: its document, and filter and sort columns. Each list, with and without `content_type`, has an
 * index (filters, created_at, ID). The primary key is the platform list's: rows are clustered by it, so pages, and the
 * newest items, lie together. InnoDB always clusters, SQLite only `WITHOUT ROWID`. IDs have an index of their own. */
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
  @Column({ type: 'tinyint' }) kind: number;
  @DocumentColumn() document: Buffer;
}

/** How much text one item may repeat. Hardly any item has as many games and chapters, but a single line could. */
export const MAX_REPEATED_CHARACTERS = 256 * 1024;

/** An item under one of its games. It repeats the document: a page of a game then costs half of look-ups by ID. */
@Entity('game_content', { withoutRowid: true })
@Index('game_content_by_kind', ['platform', 'game_id', 'kind', 'created_at', 'content_id'])
export class GameContentEntity {
  @PlatformColumn({ primary: true }) platform: number;
  @IdColumn({ primary: true }) game_id: string;
  @BigintColumn({ primary: true }) created_at: number;
  @IdColumn({ primary: true }) content_id: string;
  @Column({ type: 'tinyint' }) kind: number;
  /** Null where the item has so many games that repeating it would take too much room: it is found by its ID then. */
  @DocumentColumn({ nullable: true }) document: Buffer | null;
}

/** Derives the columns beside the document. */
export function contentRowOf(content: Content): Omit<Stored<ContentEntity>, 'document'> {
  return {
    platform: platformCode(content.platform),
    created_at: sortableInstant(content.created_at),
    content_id: content.content_id,
    profile_id: content.profile_id,
    kind: contentKind(content.type),
  };
}

/** Derives an item's rows under its games, each game once: categories of its own and of its chapters that are games of
 * its platform. */
export function gameContentRowsOf(content: Content): Omit<Stored<GameContentEntity>, 'document'>[] {
  const { profile_id: _profile, ...row } = contentRowOf(content);
  const gameType = `${content.platform}_game`;
  const gameIds = new Set<string>();
  for (const { categories } of [content, ...content.chapters]) {
    for (const { type, id } of categories) if (type === gameType) gameIds.add(id);
  }
  return Array.from(gameIds, (game_id) => ({ ...row, game_id }));
}
