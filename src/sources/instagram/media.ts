import type { ContentType } from '../../features/content/content.js';
import type { Author } from '../fragment.js';
import { commentsOf, sumOf, type Findings } from '../reading/findings.js';
import { Kind } from '../reading/kind.js';
import { count, id, instant, part, text } from '../reading/members.js';
import { join } from '../reading/place.js';
import type { Item } from '../reading/responses.js';

const kind = new Kind(
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
    owner: part({ id }),
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

type Media = NonNullable<ReturnType<typeof kind.read>>;

/** Whether an object is an item, of the fields people ask for. */
export const isMedia = (item: Item): boolean =>
  'media_type' in item &&
  ['permalink', 'timestamp', 'media_product_type', 'shortcode', 'caption'].some((name) => name in item);

/** An item. Its ID here is the shortcode; the API's own ID is of another kind. */
export function mapMedia(item: Item, place: string, found: Findings, around: Author | null): void {
  const media = kind.read(item, place, found);
  if (media === null) return;
  if (media.media_product_type === 'STORY') return found.skip('story');
  const contentId = media.shortcode ?? shortcodeOf(media.permalink);
  if (!contentId) return found.reject(join(place, ['permalink']), 'is missing: ask for permalink, which holds the ID');
  const type = typeOf(media);
  if (type === null) return found.reject(join(place, ['media_type']), 'is missing');
  const { like_count, comments_count } = media;
  const hasCounts = like_count !== undefined || comments_count !== undefined;
  found.content('photo_platform', contentId, around ?? authorOf(media), {
    type,
    description: media.caption,
    created_at: media.timestamp,
    url: media.permalink ?? `https://www.instagram.com/p/${contentId}/`,
    statistics: {
      views: sumOf(media.view_count),
      // A count that was left out while the other is there is hidden.
      likes: hasCounts ? sumOf(like_count ?? null) : undefined,
      comments: hasCounts ? commentsOf(comments_count ?? null) : undefined,
    },
  });
}

/** The shortcode in the address of an item. */
export function shortcodeOf(permalink: string | null | undefined): string | null {
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
