import type { Platform } from '../model/platforms.js';
import type { AssembledKind } from './assemble/assembly.js';

/** Call or request parameter that provides a member. */
export interface MemberHint {
  readonly kind: AssembledKind;
  /** Null for games. */
  readonly platform: Platform | null;
  readonly member: string;
  /** The response to load. */
  readonly load: string;
}

type LoadByMember = Readonly<Record<string, string>>;

const HELIX_USERS = 'Helix users';
const PROFILES: Readonly<Record<Platform, LoadByMember>> = {
  live_platform: {
    name: HELIX_USERS,
    description: HELIX_USERS,
    profile_image: HELIX_USERS,
    account_type: HELIX_USERS,
    language: 'Helix channels',
    is_mature: 'Helix channels',
    'statistics.followers': 'Helix channels/followers, each with its url',
    last_active_at: 'Helix streams or videos',
  },
  video_platform: {
    name: 'channels with part=snippet',
    description: 'channels with part=snippet',
    'statistics.followers': 'channels with part=statistics',
    'statistics.views_estimated': 'channels with part=statistics',
    banner_image: 'channels with part=brandingSettings',
    last_active_at: 'videos of the channels',
  },
  photo_platform: {
    name: 'business_discovery with username',
    description: 'business_discovery with biography',
    profile_image: 'business_discovery with profile_picture_url',
    'statistics.followers': 'business_discovery with followers_count',
    last_active_at: 'business_discovery with media',
  },
  short_platform: {
    name: 'user/info',
    description: 'user/info with bio_description',
    'statistics.followers': 'user/info with follower_count',
    last_active_at: 'videos of the users',
  },
  microblog_platform: {
    name: 'users',
    description: 'users with user.fields=description',
    'statistics.followers': 'users with user.fields=public_metrics',
    last_active_at: 'users with user.fields=most_recent_tweet_id, or posts',
  },
};

const CONTENT: Readonly<Record<Platform, LoadByMember>> = {
  live_platform: {
    profile_id: HELIX_USERS,
    duration: 'Helix videos',
    categories: 'Helix streams while they are live',
    'statistics.viewers': 'Helix streams while they are live, every few minutes',
    'statistics.views': 'Helix videos',
  },
  video_platform: {
    profile_id: 'videos with part=snippet',
    duration: 'videos with part=contentDetails',
    categories: 'videos with part=snippet',
    'statistics.views': 'videos with part=statistics',
    'statistics.likes': 'videos with part=statistics',
    'statistics.comments': 'videos with part=statistics',
  },
  photo_platform: {
    profile_id: 'business_discovery around the media, or the url of the request',
    created_at: 'media with timestamp',
    description: 'media with caption',
    'statistics.likes': 'media with like_count',
    'statistics.comments': 'media with comments_count',
  },
  short_platform: {
    profile_id: 'user/info of the authors, or the request of the videos',
    created_at: 'videos with create_time',
    'statistics.views': 'videos with view_count',
    'statistics.likes': 'videos with like_count',
    'statistics.comments': 'videos with comment_count',
  },
  microblog_platform: {
    profile_id: 'posts with tweet.fields=author_id, or the url of the request',
    'statistics.views': 'posts with tweet.fields=public_metrics',
    'statistics.likes': 'posts with tweet.fields=public_metrics',
    'statistics.comments': 'posts with tweet.fields=public_metrics',
  },
};

const GAMES: LoadByMember = {
  slug: 'IGDB games with slug',
  first_release_date: 'IGDB games with first_release_date',
  total_rating_count: 'IGDB games with total_rating_count',
  live_platform_id: 'IGDB external_games, or Helix games',
  video_platform_id: 'IGDB external_games',
};

function createHints(kind: AssembledKind, platform: Platform | null, loads: LoadByMember): MemberHint[] {
  return Object.entries(loads).map(([member, load]) => ({ kind, platform, member, load }));
}

const createPlatformHints = (kind: AssembledKind, all: Readonly<Record<Platform, LoadByMember>>): MemberHint[] =>
  Object.entries(all).flatMap(([platform, loads]) => createHints(kind, platform as Platform, loads));

/** What to load for members that no document contained. */
export const MEMBER_HINTS: readonly MemberHint[] = [
  ...createPlatformHints('profiles', PROFILES),
  ...createPlatformHints('content', CONTENT),
  ...createHints('games', null, GAMES),
];
