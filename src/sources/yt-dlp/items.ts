import { createCommentCount, createSum, type Findings } from '../reading/findings.js';
import { formatInstant, parseInstantText } from '../reading/instants.js';
import { handleFromUrl, isSlideshow, tiktokProfileUrl } from '../tiktok/urls.js';
import { postUrl, unescapeEntities } from '../x/text.js';
import { findCategoryId, createCategory } from '../youtube/category-names.js';
import { MAX_SHORT_MS } from '../youtube/videos.js';
import type { Info } from './info.js';

type MapInfo = (info: Info, id: string, findings: Findings) => void;

/** Returns when an item was published; a day without a time becomes midnight. */
const createdAt = ({ timestamp, upload_date }: Info): string | null =>
  timestamp ?? (upload_date ? parseInstantText(upload_date) : null);

const countsOf = ({ view_count, like_count, comment_count }: Info) => ({
  views: createSum(view_count ?? undefined),
  likes: createSum(like_count ?? undefined),
  comments: createCommentCount(comment_count ?? undefined),
});

const isNumber = (id: string | null | undefined): id is string => /^\d+$/.test(id ?? '');

const hasUrlPart = (part: string, { webpage_url, original_url }: Info): boolean =>
  (webpage_url ?? '').includes(part) || (original_url ?? '').includes(part);

const LIVE_STATUSES: ReadonlySet<unknown> = new Set(['is_live', 'was_live', 'post_live']);

/** Returns the type of a YouTube video; `video` if it is unknown. */
function youtubeType(info: Info) {
  if (LIVE_STATUSES.has(info.live_status) || info.media_type === 'livestream') return 'stream';
  if (info.media_type === 'short' || hasUrlPart('/shorts/', info)) return 'short';
  return (info.duration ?? 0) > MAX_SHORT_MS ? 'long' : 'video';
}

const mapYoutube: MapInfo = (info, id, findings) => {
  if (info.live_status === 'is_upcoming') return findings.skip('upcoming');
  const { channel_id: channelId, title, description, duration, tags } = info;
  const [category] = info.categories ?? [];
  const categoryNumber = category === undefined ? null : findCategoryId(category);
  findings.addContent('video_platform', id, channelId ? { id: channelId } : null, {
    title,
    description,
    created_at: createdAt(info),
    duration,
    type: youtubeType(info),
    url: `https://www.youtube.com/watch?v=${id}`,
    categories: categoryNumber === null ? undefined : [createCategory(categoryNumber, category)],
    tags: tags?.map((tag) => ({ id: tag, type: 'video_platform_tag', name: tag })),
    statistics: countsOf(info),
  });
  if (channelId) mapYoutubeChannel(info, channelId, findings);
};

/** Maps the channel of a video or playlist. */
export function mapYoutubeChannel(info: Info, channelId: string, findings: Findings, extraMembers: object = {}): void {
  const handle = info.uploader_id?.startsWith('@') ? info.uploader_id.slice(1) : null;
  findings.addProfile('video_platform', channelId, {
    name: handle,
    display_name: info.channel ?? info.uploader,
    url: handle === null ? `https://www.youtube.com/channel/${channelId}` : `https://www.youtube.com/@${handle}`,
    statistics: { followers: info.channel_follower_count },
    ...extraMembers,
  });
}

const mapTwitch: MapInfo = (info, videoId, findings) => {
  const id = videoId.replace(/^v/, '');
  const { title, description, duration, uploader_id: login } = info;
  const start = createdAt(info);
  findings.addContent('live_platform', id, login ? { handle: login } : null, {
    title,
    description,
    created_at: start,
    duration,
    type: 'stream',
    url: `https://www.twitch.tv/videos/${id}`,
    statistics: countsOf(info),
    chapters: info.chapters?.map((chapter, index) => chapterOf(chapter, `${id}-${index + 1}`, start)),
  });
};

/** Creates a chapter. Its title is the name of the game that was played. */
function chapterOf(
  { title, start_time, end_time }: NonNullable<Info['chapters']>[number],
  id: string,
  start: string | null,
) {
  const at = (seconds: number | null | undefined) =>
    start === null || typeof seconds !== 'number' ? null : formatInstant(Date.parse(start) + seconds * 1000);
  const length = typeof start_time === 'number' && typeof end_time === 'number' ? end_time - start_time : null;
  return {
    id,
    title: title ?? null,
    description: null,
    created_at: at(start_time),
    ended_at: at(end_time),
    duration: length === null ? null : Math.round(length * 1000),
    categories: [],
    tags: [],
    statistics: {},
  };
}

const mapTiktok: MapInfo = (info, id, findings) => {
  const { uploader, uploader_id: uploaderId, description, duration, webpage_url: url } = info;
  const handle = uploader ?? handleFromUrl(url);
  findings.addContent('short_platform', id, isNumber(uploaderId) ? { id: uploaderId } : handle ? { handle } : null, {
    description,
    created_at: createdAt(info),
    duration,
    type: isSlideshow(url, null) ? 'post' : 'short',
    url: handle ? `${tiktokProfileUrl(handle)}/video/${id}` : (url ?? undefined),
    statistics: countsOf(info),
  });
  if (!isNumber(uploaderId)) return;
  findings.addProfile('short_platform', uploaderId, {
    name: handle,
    display_name: info.channel,
    url: tiktokProfileUrl(handle),
    statistics: { followers: info.channel_follower_count },
  });
};

const mapInstagram: MapInfo = (info, id, findings) => {
  const { channel, uploader, uploader_id: uploaderId, description, duration } = info;
  const handle = channel ?? (isNumber(uploaderId) ? null : uploaderId);
  const isReel = hasUrlPart('/reel/', info);
  findings.addContent('photo_platform', id, isNumber(uploaderId) ? { id: uploaderId } : handle ? { handle } : null, {
    description,
    created_at: createdAt(info),
    duration,
    type: isReel ? 'short' : 'video',
    url: `https://www.instagram.com/${isReel ? 'reel' : 'p'}/${id}/`,
    statistics: countsOf(info),
  });
  if (!isNumber(uploaderId)) return;
  findings.addProfile('photo_platform', uploaderId, {
    name: handle,
    display_name: uploader,
    url: handle && `https://www.instagram.com/${handle}/`,
    statistics: {},
  });
};

const mapTwitter: MapInfo = (info, mediumId, findings) => {
  // The video in a post has its own ID; `display_id` is the post's ID.
  const id = info.display_id ?? mediumId;
  const { channel_id: userId, uploader_id: handle, uploader, description, duration } = info;
  findings.addContent('microblog_platform', id, userId ? { id: userId } : handle ? { handle } : null, {
    created_at: createdAt(info),
    duration,
    description: description ? unescapeEntities(description) : undefined,
    type: 'post',
    url: postUrl(handle, id),
    statistics: countsOf(info),
  });
  if (!userId) return;
  findings.addProfile('microblog_platform', userId, {
    name: handle,
    display_name: uploader,
    url: handle && `https://x.com/${handle}`,
    statistics: {},
  });
};

/** Mappers by yt-dlp's extractor. */
export const EXTRACTORS: ReadonlyMap<string, MapInfo> = new Map([
  ['Youtube', mapYoutube],
  ['TwitchVod', mapTwitch],
  ['TikTok', mapTiktok],
  ['Instagram', mapInstagram],
  ['Twitter', mapTwitter],
]);
