import * as z from 'zod';
import { PLATFORMS } from '../../model/platforms.js';
import {
  objectWithDefaults,
  dateTime,
  hideable,
  id,
  integer,
  list,
  nullable,
  number,
  oneOf,
  shape,
  text,
} from '../../model/scalars.js';

export const CONTENT_TYPES = ['stream', 'video', 'short', 'long', 'post'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/** Schema of a category. For the two game types its ID is the game under which the content is listed, so it is limited like any
 * indexed ID. */
export const categorySchema = shape({
  id: id.describe('ID of the category on its platform'),
  type: oneOf(['live_platform_game', 'video_platform_game', 'video_platform_category']).describe('Kind of category'),
  name: nullable(text).describe('Name of the category'),
  gamedb_id: nullable(integer).describe('ID in the game database; only for games'),
  gamedb_name: nullable(text).describe('Official name of the game; only for games'),
  gamedb_slug: nullable(text).describe('URL-friendly name of the game; only for games'),
}).describe('A game or a topic that content is filed under');

export type Category = z.output<typeof categorySchema>;

/** Schema of a tag. Its ID has no maximum length: nothing is looked up by it, and on some platforms it is the text of the tag. */
export const tagSchema = shape({
  id: text.describe('ID of the tag on its platform'),
  type: oneOf(['live_platform_tag', 'video_platform_game', 'video_platform_category', 'video_platform_tag']).describe(
    'Kind of tag',
  ),
  name: nullable(text).describe('Displayed text of the tag'),
}).describe('A tag of an item or a chapter');

export type Tag = z.output<typeof tagSchema>;

const viewers = shape({
  avg: nullable(number).describe('Average number of concurrent viewers'),
  max: nullable(integer).describe('Highest number of concurrent viewers'),
});

const sum = shape({ sum: nullable(integer).describe('Total') });

const duration = nullable(integer).describe('Length in milliseconds');
const categories = list(categorySchema).describe('Games and topics');
const tags = list(tagSchema).describe('Tags');

/** Schema of a chapter of a stream. */
export const chapterSchema = shape({
  id: text.describe('ID of the chapter'),
  title: nullable(text).describe('Title'),
  description: hideable(nullable(text).describe('Description')),
  created_at: nullable(dateTime).describe('Start of the chapter'),
  ended_at: nullable(dateTime).describe('End of the chapter'),
  duration,
  categories,
  tags,
  statistics: objectWithDefaults(shape({ viewers: viewers.optional().describe('Concurrent viewers') })).describe(
    'Known statistics',
  ),
}).describe('A part of a stream');

export type Chapter = z.output<typeof chapterSchema>;

/** Schema of the counts of an item. Platforms have different counts, so a count that was not loaded is absent, not null. */
const statistics = shape({
  viewers: viewers.optional().describe('Concurrent viewers'),
  watched_minutes: sum.optional().describe('Minutes watched by all viewers together'),
  airtime_minutes: sum.optional().describe('Minutes streamed'),
  views: sum.optional().describe('Views'),
  likes: sum.optional().describe('Likes'),
  comments: shape({
    sum: nullable(integer).describe('Total'),
    avg: nullable(integer).describe('Average'),
  })
    .optional()
    .describe('Comments'),
});

/** Schema of a published item, both of an answer and of a line of a `content` import. */
export const contentSchema = shape({
  content_id: id.describe('ID of the item on the platform'),
  platform: oneOf(PLATFORMS).describe('The platform of the item'),
  type: oneOf(CONTENT_TYPES).describe('Kind of item; post is a photo or text post'),
  title: nullable(text).describe('Title'),
  description: hideable(nullable(text).describe('Description')),
  created_at: nullable(dateTime).describe('Start of a stream, otherwise publication or creation'),
  ended_at: nullable(dateTime).describe('End of a stream on live_platform'),
  duration,
  url: hideable(nullable(text).meta({ format: 'uri', description: 'URL of the item' })),
  categories,
  tags,
  statistics: objectWithDefaults(statistics).describe('Known statistics'),
  chapters: list(chapterSchema).describe('Chapters of a stream on live_platform'),
  profile_id: nullable(id).describe('ID of the creator who published the item'),
}).describe('A stream, video or post');

export type Content = z.output<typeof contentSchema>;
