import type { JsonObject } from '../json-object.js';
import { createCommentCount, createSum, type Findings } from '../reading/findings.js';
import { DocumentSchema } from '../reading/document-schema.js';
import { count, id, secondsDuration, text, unixSeconds } from '../reading/member-schemas.js';
import { handleFromUrl, isSlideshow, tiktokProfileUrl, stripQuery } from './urls.js';

const kind = new DocumentSchema(
  'videos',
  {
    id,
    create_time: unixSeconds,
    video_description: text,
    title: text,
    share_url: text,
    // Names of the Research API.
    video_id: id,
    username: text,
    duration: secondsDuration,
    video_duration: secondsDuration,
    view_count: count,
    like_count: count,
    comment_count: count,
  },
  [
    'cover_image_url',
    'effect_ids',
    'effect_info_list',
    'embed_html',
    'embed_link',
    'favorites_count',
    'hashtag_info_list',
    'hashtag_names',
    'height',
    'is_aigc',
    'is_stem_verified',
    'music_id',
    'playlist_id',
    'region_code',
    'share_count',
    'sticker_info_list',
    'video_label',
    'video_mention_list',
    'video_tag',
    'voice_to_text',
    'width',
  ],
);

/** Reports whether an object is a video, by commonly requested fields. */
export const isVideo = (item: JsonObject): boolean => 'create_time' in item || 'video_description' in item;

/** Maps a video of the Display or Research API. */
export function mapVideo(item: JsonObject, itemPath: string, findings: Findings): void {
  const video = kind.parse(item, itemPath, findings);
  const videoId = video && findings.requireId(video.id ?? video.video_id, itemPath, 'id');
  if (!videoId) return;
  const { username, share_url, video_description: description, title } = video;
  const handle = username ?? handleFromUrl(share_url);
  const duration = video.duration ?? video.video_duration;
  findings.addContent('short_platform', videoId, handle ? { handle } : null, {
    type: isSlideshow(share_url, duration) ? 'post' : 'short',
    title: title !== undefined && title === description ? null : title,
    description,
    created_at: video.create_time,
    duration,
    url: stripQuery(share_url) ?? (handle ? `${tiktokProfileUrl(handle)}/video/${videoId}` : undefined),
    statistics: {
      views: createSum(video.view_count),
      likes: createSum(video.like_count),
      comments: createCommentCount(video.comment_count),
    },
  });
}
