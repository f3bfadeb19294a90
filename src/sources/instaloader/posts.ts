import { z } from 'zod';
import type { ContentType } from '../../features/content/content.js';
import { commentsOf, sumOf, type Findings } from '../reading/findings.js';
import { Kind } from '../reading/kind.js';
import { count, id, part, parts, secondsLong, text, truth, unixSeconds } from '../reading/members.js';
import { join } from '../reading/place.js';
import type { Item } from '../reading/responses.js';

const counted = part({ count });
const captionText = z.union([z.string(), z.object({ text })], { error: 'must be a text or an object' }).nullish();

const kind = new Kind(
  'Post',
  {
    __typename: text,
    shortcode: text,
    code: text,
    id,
    pk: id,
    is_video: truth,
    product_type: text,
    edge_media_to_caption: part({ edges: parts({ node: part({ text }) }) }),
    caption: captionText,
    taken_at_timestamp: unixSeconds,
    date: unixSeconds,
    video_duration: secondsLong,
    edge_media_preview_like: counted,
    like_and_view_counts_disabled: truth,
    edge_media_to_parent_comment: counted,
    edge_media_to_comment: counted,
    comments: z.union([z.number(), z.string(), z.object({ count })]).nullish(),
    video_play_count: count,
    video_view_count: count,
    owner: part({ id }),
    iphone_struct: part({
      product_type: text,
      code: text,
      like_and_view_counts_disabled: truth,
      taken_at: unixSeconds,
    }),
  },
  [
    'accessibility_caption',
    'accessibility_caption_enabled',
    'caption_is_edited',
    'clips_music_attribution_info',
    'coauthor_producers',
    'comments_disabled',
    'commenting_disabled_for_viewer',
    'dash_info',
    'dimensions',
    'display_resources',
    'display_src',
    'display_url',
    'edge_liked_by',
    'edge_media_preview_comment',
    'edge_media_to_hoisted_comment',
    'edge_media_to_sponsor_user',
    'edge_media_to_tagged_user',
    'edge_related_profiles',
    'edge_sidecar_to_children',
    'edge_web_media_to_related_media',
    'encoding_status',
    'fact_check_information',
    'fact_check_overall_rating',
    'felix_profile_grid_crop',
    'gating_info',
    'has_audio',
    'has_ranked_comments',
    'has_upcoming_event',
    'is_ad',
    'is_affiliate',
    'is_paid_partnership',
    'is_published',
    'likes',
    'location',
    'media_overlay_info',
    'media_preview',
    'nft_asset_info',
    'pinned_for_users',
    'sensitivity_friction_info',
    'sharing_friction_info',
    'should_have_sharing_friction',
    'thumbnail_resources',
    'thumbnail_src',
    'title',
    'tracking_token',
    'upcoming_event',
    'video_url',
    'viewer_can_reshare',
    'viewer_has_liked',
    'viewer_has_saved',
    'viewer_has_saved_to_collection',
    'viewer_in_photo_of_you',
  ],
);

type Post = NonNullable<ReturnType<typeof kind.read>>;

/** A post, as the web site or the app describes it. */
export function mapPost(item: Item, place: string, found: Findings): void {
  const post = kind.read(item, place, found);
  if (post === null) return;
  const { iphone_struct: app } = post;
  const number = post.pk ?? post.id;
  const contentId = post.shortcode ?? post.code ?? app?.code ?? (number ? shortcodeOfNumber(number) : null);
  if (!contentId) return found.reject(join(place, ['shortcode']), 'is missing');
  const owner = post.owner?.id;
  found.content('photo_platform', contentId, owner ? { id: owner } : null, {
    type: typeOf(post),
    description: captionOf(post),
    created_at: post.taken_at_timestamp ?? post.date ?? app?.taken_at,
    duration: post.video_duration,
    url: `https://www.instagram.com/p/${contentId}/`,
    statistics: {
      views: sumOf(post.video_play_count ?? post.video_view_count),
      likes: sumOf(likesOf(post)),
      comments: commentsOf(unlessHidden(commentCountOf(post))),
    },
  });
}

function typeOf({ is_video, __typename, product_type, iphone_struct: app }: Post): ContentType {
  if (!is_video && !__typename?.endsWith('Video')) return 'post';
  return (product_type ?? app?.product_type) === 'clips' ? 'short' : 'video';
}

function captionOf({ edge_media_to_caption: edges, caption }: Post): string | null | undefined {
  if (edges) return edges.edges?.[0]?.node?.text ?? null;
  return typeof caption === 'string' ? caption : caption?.text;
}

/** Likes that are hidden are told as -1, or as any number beside a flag. */
function likesOf({ edge_media_preview_like: likes, like_and_view_counts_disabled, iphone_struct: app }: Post) {
  if (like_and_view_counts_disabled || app?.like_and_view_counts_disabled) return null;
  return unlessHidden(likes?.count);
}

const unlessHidden = (value: number | null | undefined) => (typeof value === 'number' && value < 0 ? null : value);

function commentCountOf({ edge_media_to_parent_comment, edge_media_to_comment, comments }: Post) {
  const told = edge_media_to_parent_comment?.count ?? edge_media_to_comment?.count;
  if (told !== undefined || comments === undefined || comments === null) return told;
  return typeof comments === 'object' ? comments.count : Number(comments);
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The shortcode that stands for an item's number. The number may have its owner's behind it. */
export function shortcodeOfNumber(number: string): string | null {
  const [digits = ''] = number.split('_');
  if (!/^[1-9]\d{0,19}$/.test(digits)) return null;
  let shortcode = '';
  for (let rest = BigInt(digits); rest > 0n; rest >>= 6n)
    shortcode = `${ALPHABET[Number(rest & 63n)] ?? ''}${shortcode}`;
  return shortcode;
}
