import type { Findings } from '../reading/findings.js';
import { Kind } from '../reading/kind.js';
import { count, text } from '../reading/members.js';
import { join } from '../reading/place.js';
import type { Item } from '../reading/responses.js';
import { pageOf } from './pages.js';

const kind = new Kind(
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

/** Whether an object is a user, of the fields people ask for. */
export const isUser = (item: Item): boolean =>
  'display_name' in item && ['open_id', 'follower_count', 'bio_description', 'avatar_url'].some((name) => name in item);

/** The IDs that the API gives are known to the asking application only, so the handle is the ID. */
export const HANDLE_AS_ID = 'TikTok ID: the handle stands for it';

/** @param asked the handle that the request asked for; responses of the Research API do not have it */
export function mapUser(item: Item, place: string, found: Findings, asked: string | null): void {
  const user = kind.read(item, place, found);
  if (user === null) return;
  const handle = user.username ?? asked;
  if (!handle) {
    const missing = 'is missing: ask for it (scope user.info.profile), or wrap the response with its request';
    return found.reject(join(place, ['username']), missing);
  }
  found.profile(
    'short_platform',
    handle,
    {
      name: handle,
      display_name: user.display_name,
      url: pageOf(handle),
      description: user.bio_description,
      profile_image: user.avatar_url,
      statistics: { followers: user.follower_count },
    },
    { links: [user.bio_url] },
  );
  found.skip(HANDLE_AS_ID);
}
