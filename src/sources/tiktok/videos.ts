import type { JsonObject } from '../json-object.js';
import { commentsOf, sumOf, type Findings } from '../reading/findings.js';
import { Kind } from '../reading/kind.js';
import { count, id, secondsLong, text, unixSeconds } from '../reading/members.js';
import { handleIn, isPictures, pageOf, withoutQuery } from './pages.js';

const kind = new Kind(
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
    duration: secondsLong,
    video_duration: secondsLong,
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
export function mapVideo(item: JsonObject, place: string, findings: Findings): void {
  const video = kind.read(item, place, findings);
  const videoId = video && findings.idOf(video.id ?? video.video_id, place, 'id');
  if (!videoId) return;
  const { username, share_url, video_description: description, title } = video;
  const handle = username ?? handleIn(share_url);
  const duration = video.duration ?? video.video_duration;
  findings.content('short_platform', videoId, handle ? { handle } : null, {
    type: isPictures(share_url, duration) ? 'post' : 'short',
    title: title !== undefined && title === description ? null : title,
    description,
    created_at: video.create_time,
    duration,
    url: withoutQuery(share_url) ?? (handle ? `${pageOf(handle)}/video/${videoId}` : undefined),
    statistics: {
      views: sumOf(video.view_count),
      likes: sumOf(video.like_count),
      comments: commentsOf(video.comment_count),
    },
  });
}
