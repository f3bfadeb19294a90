import type { ContentType } from './content.js';

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
