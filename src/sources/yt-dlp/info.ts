import { DocumentSchema } from '../reading/document-schema.js';
import {
  count,
  id,
  number,
  optionalObjects,
  secondsDuration,
  text,
  texts,
  unixSeconds,
} from '../reading/member-schemas.js';
import { INFO_MEMBERS } from './info-members.js';

/** Schema of an `info.json`. All platforms have the same members, with different meanings. */
export const infoSchema = new DocumentSchema(
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
    duration: secondsDuration,
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
    chapters: optionalObjects({ title: text, start_time: number, end_time: number }),
    thumbnails: optionalObjects({ id: text, url: text }),
  },
  INFO_MEMBERS,
);

export type Info = NonNullable<ReturnType<typeof infoSchema.parse>>;
