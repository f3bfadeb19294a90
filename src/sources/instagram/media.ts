import type { ContentType } from '../../features/content/content.js';
import type { Author } from '../fragment.js';
import type { JsonObject } from '../json-object.js';
import { createCommentCount, createSum, type Findings } from '../reading/findings.js';
import { DocumentSchema } from '../reading/document-schema.js';
import { count, id, instant, optionalObject, text } from '../reading/member-schemas.js';
import { joinPath } from '../reading/member-path.js';

const kind = new DocumentSchema(
  'media',
  {
    id,
    caption: text,
    media_type: text,
    media_product_type: text,
    permalink: text,
    shortcode: text,
    timestamp: instant,
    like_count: count,
    comments_count: count,
    view_count: count,
    username: text,
    owner: optionalObject({ id }),
  },
  [
    'alt_text',
    'boost_ads_list',
    'boost_eligibility_info',
    'business_account_id',
    'children',
    'collaborators',
    'comments',
    'copyright_check_information',
    'has_comment_moderation',
    'ig_id',
    'insights',
    'is_comment_enabled',
    'is_shared_to_feed',
    'legacy_instagram_media_id',
    'media_url',
    'page_id',
    'thumbnail_url',
  ],
);

type Media = NonNullable<ReturnType<typeof kind.parse>>;

/** Reports whether an object is a media item, by commonly requested fields. */
export const isMedia = (item: JsonObject): boolean =>
  'media_type' in item &&
  ['permalink', 'timestamp', 'media_product_type', 'shortcode', 'caption'].some((name) => name in item);

/** Maps a media item. Its record's ID is the shortcode, not the API's ID. */
export function mapMedia(item: JsonObject, itemPath: string, findings: Findings, accountAuthor: Author | null): void {
  const media = kind.parse(item, itemPath, findings);
  if (media === null) return;
  if (media.media_product_type === 'STORY') return findings.skip('story');
  const contentId = media.shortcode ?? parseShortcode(media.permalink);
  if (!contentId)
    return findings.reject(joinPath(itemPath, ['permalink']), 'is missing: request permalink, which contains the ID');
  const type = typeOf(media);
  if (type === null) return findings.reject(joinPath(itemPath, ['media_type']), 'is missing');
  const { like_count, comments_count } = media;
  const hasCounts = like_count !== undefined || comments_count !== undefined;
  findings.addContent('photo_platform', contentId, accountAuthor ?? authorOf(media), {
    type,
    description: media.caption,
    created_at: media.timestamp,
    url: media.permalink ?? `https://www.instagram.com/p/${contentId}/`,
    statistics: {
      views: createSum(media.view_count),
      // If only one of the counts is present, the other is hidden.
      likes: hasCounts ? createSum(like_count ?? null) : undefined,
      comments: hasCounts ? createCommentCount(comments_count ?? null) : undefined,
    },
  });
}

/** Returns the shortcode in an item's URL. */
export function parseShortcode(permalink: string | null | undefined): string | null {
  return /\/(?:p|reel|reels|tv)\/([\w-]+)/.exec(permalink ?? '')?.[1] ?? null;
}

function authorOf({ username, owner }: Media): Author | null {
  if (username) return { handle: username };
  return owner?.id ? { id: owner.id } : null;
}

function typeOf({ media_type: medium, media_product_type: product, permalink }: Media): ContentType | null {
  if (product === 'REELS' || (!product && permalink?.includes('/reel/'))) return 'short';
  if (!medium) return null;
  return medium === 'VIDEO' ? 'video' : 'post';
}
