import { platformCode } from '../../model/platforms.js';
import { sortableInstant } from '../../database/columns.js';
import type { Content, ContentType } from './content.js';
import type { GameContentEntity } from './content.entity.js';

/** What `content_type` filters by, as stored: `video` covers two types, and posts are only among `all`. */
const KINDS = { stream: 1, video: 2, short: 3, post: 4 } as const;

export const CONTENT_FILTERS = ['stream', 'video', 'short', 'all'] as const;
export type ContentFilter = (typeof CONTENT_FILTERS)[number];

export function contentKind(type: ContentType): number {
  return KINDS[type === 'long' ? 'video' : type];
}

/** The stored kind that a filter asks for, null for all. */
export function kindOfFilter(filter: ContentFilter): number | null {
  return filter === 'all' ? null : KINDS[filter];
}

/** The games of an item, each once: categories of its own and of its chapters that are games of its platform. */
export function gamesOfContent(content: Content): Omit<GameContentEntity, 'document'>[] {
  const gameType = `${content.platform}_game`;
  const gameIds = new Set<string>();
  for (const { categories } of [content, ...content.chapters]) {
    for (const { type, id } of categories) if (type === gameType) gameIds.add(id);
  }
  const created_at = sortableInstant(content.created_at);
  const kind = contentKind(content.type);
  return Array.from(gameIds, (game_id) => ({
    platform: platformCode(content.platform),
    game_id,
    created_at,
    content_id: content.content_id,
    kind,
  }));
}
