import type { JsonObject } from '../json-object.js';
import type { Findings } from '../reading/findings.js';
import { decodeSnowflakeTime } from '../reading/instants.js';
import { DocumentSchema } from '../reading/document-schema.js';
import { count, id, optionalObject, optionalObjects, text } from '../reading/member-schemas.js';
import { fullSizePicture } from './text.js';

const urls = optionalObject({ urls: optionalObjects({ expanded_url: text }) });

const kind = new DocumentSchema(
  'users',
  {
    id,
    name: text,
    username: text,
    description: text,
    profile_image_url: text,
    profile_banner_url: text,
    entities: optionalObject({ url: urls, description: urls }),
    public_metrics: optionalObject({ followers_count: count }),
    // X is renaming tweets to posts, one member at a time.
    most_recent_tweet_id: id,
    most_recent_post_id: id,
  },
  [
    'affiliation',
    'connection_status',
    'created_at',
    'is_identity_verified',
    'location',
    'parody',
    'pinned_post_id',
    'pinned_tweet_id',
    'protected',
    'receives_your_dm',
    'subscription',
    'subscription_type',
    'url',
    'verified',
    'verified_followers_count',
    'verified_type',
    'withheld',
  ],
);

/** Reports whether an object is a user: every user has these three members. */
export const isUser = (item: JsonObject): boolean => 'username' in item && 'name' in item && 'id' in item;

/** Maps a user, with the time of the newest post as the time of last activity. */
export function mapUser(item: JsonObject, itemPath: string, findings: Findings): void {
  const user = kind.parse(item, itemPath, findings);
  const userId = user && findings.requireId(user.id, itemPath, 'id');
  if (!userId) return;
  const { username, entities } = user;
  const newestPostId = user.most_recent_post_id ?? user.most_recent_tweet_id;
  const links = [...(entities?.url?.urls ?? []), ...(entities?.description?.urls ?? [])];
  findings.addProfile(
    'microblog_platform',
    userId,
    {
      name: username,
      display_name: user.name,
      url: username && `https://x.com/${username}`,
      description: user.description,
      profile_image: fullSizePicture(user.profile_image_url),
      banner_image: user.profile_banner_url,
      statistics: { followers: user.public_metrics?.followers_count },
      last_active_at: newestPostId ? (decodeSnowflakeTime(newestPostId) ?? undefined) : undefined,
    },
    { links: links.map(({ expanded_url }) => expanded_url) },
  );
}
