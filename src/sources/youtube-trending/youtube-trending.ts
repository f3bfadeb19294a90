import type { MappingResult, Mapper } from '../fragment.js';
import { isObject, type JsonObject } from '../json-object.js';
import { createCommentCount, Findings, createSum } from '../reading/findings.js';
import { DocumentSchema } from '../reading/document-schema.js';
import { count, id, instant, text, booleanOrText } from '../reading/member-schemas.js';
import { createCategory } from '../youtube/category-names.js';

const kind = new DocumentSchema(
  'rows',
  {
    video_id: id,
    title: text,
    publishedAt: instant,
    channelId: id,
    channelTitle: text,
    categoryId: id,
    trending_date: instant,
    tags: text,
    view_count: count,
    likes: count,
    comment_count: count,
    comments_disabled: booleanOrText,
    ratings_disabled: booleanOrText,
    description: text,
  },
  ['dislikes', 'thumbnail_link'],
);

/** Mapper of the published tables of trending videos: one table per country, one row per video and day. */
export const youtubeTrending: Mapper = {
  source: 'youtube-trending',

  recognises: (document) =>
    isObject(document) && 'video_id' in document && 'trending_date' in document && 'channelId' in document,

  map(document, context): MappingResult {
    const base = new Findings(context.fetchedAt);
    if (isObject(document)) mapRow(document, base);
    return base;
  },
};

function mapRow(item: JsonObject, base: Findings): void {
  const row = kind.parse(item, '', base);
  const videoId = row && base.requireId(row.video_id, '', 'video_id');
  if (!videoId) return;
  const findings = row.trending_date ? base.withObservedAt(new Date(row.trending_date)) : base;
  const { channelId } = row;
  findings.addContent('video_platform', videoId, channelId ? { id: channelId } : null, {
    type: 'video',
    title: row.title,
    description: row.description,
    created_at: row.publishedAt,
    url: `https://www.youtube.com/watch?v=${videoId}`,
    categories: row.categoryId ? [createCategory(row.categoryId)] : undefined,
    tags: tagsOf(row.tags),
    statistics: {
      views: createSum(row.view_count),
      // A count of 0 beside such a flag is hidden, not zero.
      likes: createSum(row.ratings_disabled ? null : row.likes),
      comments: createCommentCount(row.comments_disabled ? null : row.comment_count),
    },
  });
  if (channelId) findings.addProfile('video_platform', channelId, { display_name: row.channelTitle });
}

function tagsOf(tags: string | null | undefined) {
  if (tags === undefined) return undefined;
  if (tags === null || tags === '[none]' || tags === '[None]') return [];
  const names = new Set(tags.split('|').map((tag) => tag.replace(/^"(.*)"$/, '$1')));
  names.delete('');
  return Array.from(names, (name) => ({ id: name, type: 'video_platform_tag' as const, name }));
}
