import type { JsonObject } from '../json-object.js';
import type { Findings } from '../reading/findings.js';
import { DocumentSchema } from '../reading/document-schema.js';
import { count, text } from '../reading/member-schemas.js';
import { joinPath } from '../reading/member-path.js';
import { tiktokProfileUrl } from './urls.js';

const kind = new DocumentSchema(
  'users',
  {
    username: text,
    display_name: text,
    bio_description: text,
    bio_url: text,
    avatar_url: text,
    follower_count: count,
  },
  [
    'avatar_large_url',
    'avatar_url_100',
    'following_count',
    'is_verified',
    'likes_count',
    'open_id',
    'profile_deep_link',
    'union_id',
    'video_count',
  ],
);

/** Reports whether an object is a user, by commonly requested fields. */
export const isUser = (item: JsonObject): boolean =>
  'display_name' in item && ['open_id', 'follower_count', 'bio_description', 'avatar_url'].some((name) => name in item);

/** Skip reason: the API's IDs are specific to the requesting application, so the handle is used as the ID. */
export const HANDLE_AS_ID_REASON = 'TikTok ID: the handle stands for it';

/**
 * Maps a user.
 *
 * @param requestedHandle the handle that the request names; Research API responses do not contain it
 */
export function mapUser(item: JsonObject, itemPath: string, findings: Findings, requestedHandle: string | null): void {
  const user = kind.parse(item, itemPath, findings);
  if (user === null) return;
  const handle = user.username ?? requestedHandle;
  if (!handle) {
    const missing = 'is missing: request it (scope user.info.profile), or wrap the response with its request';
    return findings.reject(joinPath(itemPath, ['username']), missing);
  }
  findings.addProfile(
    'short_platform',
    handle,
    {
      name: handle,
      display_name: user.display_name,
      url: tiktokProfileUrl(handle),
      description: user.bio_description,
      profile_image: user.avatar_url,
      statistics: { followers: user.follower_count },
    },
    { links: [user.bio_url] },
  );
  findings.skip(HANDLE_AS_ID_REASON);
}
