import { commentsOf, sumOf, type Findings } from '../reading/findings.js';
import { instantOfMillis, readInstant } from '../reading/instants.js';
import { handleIn, isPictures, pageOf } from '../tiktok/pages.js';
import { addressOf, unescaped } from '../x/text.js';
import { categoryId, categoryOf } from '../youtube/category-names.js';
import { LONGEST_SHORT_MS } from '../youtube/videos.js';
import type { Info } from './info.js';

type MapInfo = (info: Info, id: string, found: Findings) => void;

/** When an item was published; a day without a time is its midnight. */
const createdAt = ({ timestamp, upload_date }: Info): string | null =>
  timestamp ?? (upload_date ? readInstant(upload_date) : null);

const countsOf = ({ view_count, like_count, comment_count }: Info) => ({
  views: sumOf(view_count ?? undefined),
  likes: sumOf(like_count ?? undefined),
  comments: commentsOf(comment_count ?? undefined),
});

const isNumber = (id: string | null | undefined): id is string => /^\d+$/.test(id ?? '');

const isIn = (part: string, { webpage_url, original_url }: Info): boolean =>
  (webpage_url ?? '').includes(part) || (original_url ?? '').includes(part);

const BROADCASTS: ReadonlySet<unknown> = new Set(['is_live', 'was_live', 'post_live']);

/** The form of a video on YouTube, `video` where it cannot be told. */
function youtubeType(info: Info) {
  if (BROADCASTS.has(info.live_status) || info.media_type === 'livestream') return 'stream';
  if (info.media_type === 'short' || isIn('/shorts/', info)) return 'short';
  return (info.duration ?? 0) > LONGEST_SHORT_MS ? 'long' : 'video';
}

const mapYoutube: MapInfo = (info, id, found) => {
  if (info.live_status === 'is_upcoming') return found.skip('upcoming');
  const { channel_id: channelId, title, description, duration, tags } = info;
  const [category] = info.categories ?? [];
  const number = category === undefined ? null : categoryId(category);
  found.content('video_platform', id, channelId ? { id: channelId } : null, {
    title,
    description,
    created_at: createdAt(info),
    duration,
    type: youtubeType(info),
    url: `https://www.youtube.com/watch?v=${id}`,
    categories: number === null ? undefined : [categoryOf(number, category)],
    tags: tags?.map((tag) => ({ id: tag, type: 'video_platform_tag', name: tag })),
    statistics: countsOf(info),
  });
  if (channelId) mapYoutubeChannel(info, channelId, found);
};

/** What a video or a list says about its channel. */
export function mapYoutubeChannel(info: Info, channelId: string, found: Findings, more: object = {}): void {
  const handle = info.uploader_id?.startsWith('@') ? info.uploader_id.slice(1) : null;
  found.profile('video_platform', channelId, {
    name: handle,
    display_name: info.channel ?? info.uploader,
    url: handle === null ? `https://www.youtube.com/channel/${channelId}` : `https://www.youtube.com/@${handle}`,
    statistics: { followers: info.channel_follower_count },
    ...more,
  });
}

const mapTwitch: MapInfo = (info, videoId, found) => {
  const id = videoId.replace(/^v/, '');
  const { title, description, duration, uploader_id: login } = info;
  const start = createdAt(info);
  found.content('live_platform', id, login ? { handle: login } : null, {
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

/** A chapter; its title is the name of the game that was played. */
function chapterOf(
  { title, start_time, end_time }: NonNullable<Info['chapters']>[number],
  id: string,
  start: string | null,
) {
  const at = (seconds: number | null | undefined) =>
    start === null || typeof seconds !== 'number' ? null : instantOfMillis(Date.parse(start) + seconds * 1000);
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

const mapTiktok: MapInfo = (info, id, found) => {
  const { uploader, uploader_id: uploaderId, description, duration, webpage_url: url } = info;
  const handle = uploader ?? handleIn(url);
  found.content('short_platform', id, isNumber(uploaderId) ? { id: uploaderId } : handle ? { handle } : null, {
    description,
    created_at: createdAt(info),
    duration,
    type: isPictures(url, null) ? 'post' : 'short',
    url: handle ? `${pageOf(handle)}/video/${id}` : (url ?? undefined),
    statistics: countsOf(info),
  });
  if (!isNumber(uploaderId)) return;
  found.profile('short_platform', uploaderId, {
    name: handle,
    display_name: info.channel,
    url: pageOf(handle),
    statistics: { followers: info.channel_follower_count },
  });
};

const mapInstagram: MapInfo = (info, id, found) => {
  const { channel, uploader, uploader_id: uploaderId, description, duration } = info;
  const handle = channel ?? (isNumber(uploaderId) ? null : uploaderId);
  const isReel = isIn('/reel/', info);
  found.content('photo_platform', id, isNumber(uploaderId) ? { id: uploaderId } : handle ? { handle } : null, {
    description,
    created_at: createdAt(info),
    duration,
    type: isReel ? 'short' : 'video',
    url: `https://www.instagram.com/${isReel ? 'reel' : 'p'}/${id}/`,
    statistics: countsOf(info),
  });
  if (!isNumber(uploaderId)) return;
  found.profile('photo_platform', uploaderId, {
    name: handle,
    display_name: uploader,
    url: handle && `https://www.instagram.com/${handle}/`,
    statistics: {},
  });
};

const mapTwitter: MapInfo = (info, mediumId, found) => {
  // A post's video has an ID of its own; the post's is the one in the address.
  const id = info.display_id ?? mediumId;
  const { channel_id: userId, uploader_id: handle, uploader, description, duration } = info;
  found.content('microblog_platform', id, userId ? { id: userId } : handle ? { handle } : null, {
    created_at: createdAt(info),
    duration,
    description: description ? unescaped(description) : undefined,
    type: 'post',
    url: addressOf(handle, id),
    statistics: countsOf(info),
  });
  if (!userId) return;
  found.profile('microblog_platform', userId, {
    name: handle,
    display_name: uploader,
    url: handle && `https://x.com/${handle}`,
    statistics: {},
  });
};

/** What becomes of an item, by the extractor that read it. */
export const EXTRACTORS: ReadonlyMap<string, MapInfo> = new Map([
  ['Youtube', mapYoutube],
  ['TwitchVod', mapTwitch],
  ['TikTok', mapTiktok],
  ['Instagram', mapInstagram],
  ['Twitter', mapTwitter],
]);
