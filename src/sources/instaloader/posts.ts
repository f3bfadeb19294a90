import * as z from 'zod';
import type { ContentType } from '../../features/content/content.js';
import type { JsonObject } from '../json-object.js';
import { createCommentCount, createSum, type Findings } from '../reading/findings.js';
import { DocumentSchema } from '../reading/document-schema.js';
import {
  count,
  id,
  optionalObject,
  optionalObjects,
  secondsDuration,
  text,
  booleanOrText,
  unixSeconds,
} from '../reading/member-schemas.js';
import { joinPath } from '../reading/member-path.js';

const countObject = optionalObject({ count });
const captionText = z.union([z.string(), z.object({ text })], { error: 'must be a string or an object' }).nullish();

const kind = new DocumentSchema(
  'Post',
  {
    __typename: text,
    shortcode: text,
    code: text,
    id,
    pk: id,
    is_video: booleanOrText,
    product_type: text,
    edge_media_to_caption: optionalObject({ edges: optionalObjects({ node: optionalObject({ text }) }) }),
    caption: captionText,
    taken_at_timestamp: unixSeconds,
    date: unixSeconds,
    video_duration: secondsDuration,
    edge_media_preview_like: countObject,
    like_and_view_counts_disabled: booleanOrText,
    edge_media_to_parent_comment: countObject,
    edge_media_to_comment: countObject,
    comments: z.union([z.number(), z.string(), z.object({ count })]).nullish(),
    video_play_count: count,
    video_view_count: count,
    owner: optionalObject({ id }),
    iphone_struct: optionalObject({
      product_type: text,
      code: text,
      like_and_view_counts_disabled: booleanOrText,
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

type Post = NonNullable<ReturnType<typeof kind.parse>>;

/** Maps a post, with the members of the web site or of the app. */
export function mapPost(item: JsonObject, itemPath: string, findings: Findings): void {
  const post = kind.parse(item, itemPath, findings);
  if (post === null) return;
  const { iphone_struct: appPost } = post;
  const numericId = post.pk ?? post.id;
  const contentId = post.shortcode ?? post.code ?? appPost?.code ?? (numericId ? encodeShortcode(numericId) : null);
  if (!contentId) return findings.reject(joinPath(itemPath, ['shortcode']), 'is missing');
  const owner = post.owner?.id;
  findings.addContent('photo_platform', contentId, owner ? { id: owner } : null, {
    type: typeOf(post),
    description: captionOf(post),
    created_at: post.taken_at_timestamp ?? post.date ?? appPost?.taken_at,
    duration: post.video_duration,
    url: `https://www.instagram.com/p/${contentId}/`,
    statistics: {
      views: createSum(post.video_play_count ?? post.video_view_count),
      likes: createSum(likesOf(post)),
      comments: createCommentCount(nullIfHidden(commentCountOf(post))),
    },
  });
}

function typeOf({ is_video, __typename, product_type, iphone_struct: appPost }: Post): ContentType {
  if (!is_video && !__typename?.endsWith('Video')) return 'post';
  return (product_type ?? appPost?.product_type) === 'clips' ? 'short' : 'video';
}

function captionOf({ edge_media_to_caption: edges, caption }: Post): string | null | undefined {
  if (edges) return edges.edges?.[0]?.node?.text ?? null;
  return typeof caption === 'string' ? caption : caption?.text;
}

/** Returns the number of likes. Hidden likes are -1, or any number beside a flag. */
function likesOf({ edge_media_preview_like: likes, like_and_view_counts_disabled, iphone_struct: appPost }: Post) {
  if (like_and_view_counts_disabled || appPost?.like_and_view_counts_disabled) return null;
  return nullIfHidden(likes?.count);
}

const nullIfHidden = (value: number | null | undefined) => (typeof value === 'number' && value < 0 ? null : value);

function commentCountOf({ edge_media_to_parent_comment, edge_media_to_comment, comments }: Post) {
  const webCount = edge_media_to_parent_comment?.count ?? edge_media_to_comment?.count;
  if (webCount !== undefined || comments === undefined || comments === null) return webCount;
  return typeof comments === 'object' ? comments.count : Number(comments);
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Encodes an item's numeric ID as a shortcode. The ID may have the suffix `_` and the owner's ID. */
export function encodeShortcode(numericId: string): string | null {
  const [digits = ''] = numericId.split('_');
  if (!/^[1-9]\d{0,19}$/.test(digits)) return null;
  let shortcode = '';
  for (let rest = BigInt(digits); rest > 0n; rest >>= 6n)
    shortcode = `${ALPHABET[Number(rest & 63n)] ?? ''}${shortcode}`;
  return shortcode;
}
