import type { ContentType } from './content.js';

/** Stored code per kind that `content_type` filters by. `video` covers the types `video` and `long`; no filter selects posts. */
const KINDS = { stream: 1, video: 2, short: 3, post: 4 } as const;

export const CONTENT_FILTERS = ['stream', 'video', 'short', 'all'] as const;
export type ContentFilter = (typeof CONTENT_FILTERS)[number];

/** Returns the stored code of a content type. */
export function contentKindCode(type: ContentType): number {
  return KINDS[type === 'long' ? 'video' : type];
}

/** Returns the stored code that a filter selects; null for `all`. */
export function filterKindCode(filter: ContentFilter): number | null {
  return filter === 'all' ? null : KINDS[filter];
}
