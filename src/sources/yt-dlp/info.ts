import { Kind } from '../reading/kind.js';
import { count, id, number, parts, secondsLong, text, texts, unixSeconds } from '../reading/members.js';
import { INFO_MEMBERS } from './info-members.js';

/** Schema of an `info.json`. All platforms have the same members, with different meanings. */
export const info = new Kind(
  'info',
  {
    _type: text,
    extractor_key: text,
    id,
    display_id: text,
    title: text,
    description: text,
    webpage_url: text,
    original_url: text,
    timestamp: unixSeconds,
    upload_date: text,
    duration: secondsLong,
    live_status: text,
    media_type: text,
    categories: texts,
    tags: texts,
    view_count: count,
    like_count: count,
    comment_count: count,
    channel: text,
    channel_id: id,
    channel_follower_count: count,
    uploader: text,
    uploader_id: id,
    epoch: unixSeconds,
    chapters: parts({ title: text, start_time: number, end_time: number }),
    thumbnails: parts({ id: text, url: text }),
  },
  INFO_MEMBERS,
);

export type Info = NonNullable<ReturnType<typeof info.read>>;
