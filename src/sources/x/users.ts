import type { Findings } from '../reading/findings.js';
import { instantOfSnowflake } from '../reading/instants.js';
import { Kind } from '../reading/kind.js';
import { count, id, part, parts, text } from '../reading/members.js';
import type { Item } from '../reading/responses.js';

const urls = part({ urls: parts({ expanded_url: text }) });

const kind = new Kind(
  'users',
  {
    id,
    name: text,
    username: text,
    description: text,
    profile_image_url: text,
    profile_banner_url: text,
    entities: part({ url: urls, description: urls }),
    public_metrics: part({ followers_count: count }),
    // X calls tweets posts, and renames members one by one.
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

/** Whether an object is a user: these three members always are there. */
export const isUser = (item: Item): boolean => 'username' in item && 'name' in item && 'id' in item;

export function mapUser(item: Item, place: string, found: Findings): void {
  const user = kind.read(item, place, found);
  const userId = user && found.idOf(user.id, place, 'id');
  if (!userId) return;
  const { username, entities } = user;
  const newest = user.most_recent_post_id ?? user.most_recent_tweet_id;
  const links = [...(entities?.url?.urls ?? []), ...(entities?.description?.urls ?? [])];
  found.profile(
    'microblog_platform',
    userId,
    {
      name: username,
      display_name: user.name,
      url: username && `https://x.com/${username}`,
      description: user.description,
      // Without the suffix it is the picture in full size.
      profile_image: user.profile_image_url?.replace(/_normal(\.\w+)$/, '$1') ?? user.profile_image_url,
      banner_image: user.profile_banner_url,
      statistics: { followers: user.public_metrics?.followers_count },
      last_active_at: newest ? (instantOfSnowflake(newest) ?? undefined) : undefined,
    },
    { links: links.map(({ expanded_url }) => expanded_url) },
  );
}
