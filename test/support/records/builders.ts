import type { Content } from '../../../src/features/content/content.js';
import type { GameDetails } from '../../../src/features/games/game.js';
import type { Profile } from '../../../src/features/profiles/profile.js';
import type { UsageRecord } from '../../../src/receipts/usage-record.js';

let last = 0;

/** Returns an ID that no other test uses. */
export const uniqueId = (): string => `${Date.now()}${(last += 1)}`;

/** Creates a profile with every member known, overridden by the given members. */
export function aProfile(given: Partial<Profile> = {}): Profile {
  const id = given.id ?? uniqueId();
  return {
    platform_id: 'live_platform',
    id,
    name: `handle_${id}`,
    display_name: `Name ${id}`,
    url: `https://example.com/${id}`,
    description: 'Plays games',
    profile_image: null,
    banner_image: null,
    language: 'en',
    statistics: { followers: 100, views_estimated: 1000 },
    account_type: 'partner',
    is_mature: false,
    updated_at: '2026-01-31T09:30:00.000Z',
    last_active_at: '2026-01-30T09:30:00.000Z',
    ...given,
  };
}

/** Creates a stream without categories, overridden by the given members. */
export function aContent(given: Partial<Content> = {}): Content {
  const id = given.content_id ?? uniqueId();
  return {
    content_id: id,
    platform: 'live_platform',
    type: 'stream',
    title: `Title ${id}`,
    description: null,
    created_at: '2026-01-31T09:30:00.000Z',
    ended_at: '2026-01-31T11:30:00.000Z',
    duration: 7_200_000,
    url: `https://example.com/${id}`,
    categories: [],
    tags: [],
    statistics: { viewers: { avg: 10.5, max: 20 }, watched_minutes: { sum: 1260 }, airtime_minutes: { sum: 120 } },
    chapters: [],
    profile_id: null,
    ...given,
  };
}

/** Creates a game on both platforms, overridden by the given members. */
export function aGame(given: Partial<GameDetails> = {}): GameDetails {
  const id = given.id ?? uniqueId();
  return {
    id,
    name: `Game ${id}`,
    slug: `game-${id}`,
    first_release_date: '2020-02-29T00:00:00.000Z',
    live_platform_id: `live-${id}`,
    video_platform_id: `UC${id}`,
    total_rating_count: 10,
    ...given,
  };
}

/** Creates a category that lists content under a game of `live_platform`. */
export const liveGame = (id: string, name = `Game ${id}`) =>
  ({ id, type: 'live_platform_game', name, gamedb_id: null, gamedb_name: null, gamedb_slug: null }) as const;

/** Creates the record of a request that an outage made a 503, overridden by the given members. */
export const aUsageRecord = (given: Partial<UsageRecord> = {}): UsageRecord => ({
  request_id: uniqueId(),
  occurred_at: 1769817600000,
  key_id: 'key_a',
  operation: 'profiles.get',
  platform: null,
  status: 503,
  quota_units: 0,
  credits: 0,
  items_returned: 0,
  duration_ms: 1,
  ...given,
});

/** A user as Twitch's API answers it. */
export const aTwitchUser = (id: string, description = 'Plays') => ({
  id,
  login: `login_${id}`,
  display_name: `Login_${id}`,
  type: '',
  broadcaster_type: 'partner',
  description,
  profile_image_url: '',
  offline_image_url: '',
  view_count: 0,
  created_at: '2016-12-14T20:32:28.894263Z',
});
