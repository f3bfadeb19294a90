import type { SocialsLine } from '../../features/analysis/social-link.js';
import type { Category, Chapter, Content } from '../../features/content/content.js';
import type { GameDetails } from '../../features/games/game.js';
import type { Profile } from '../../features/profiles/profile.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import { mergeCategories, completeChapters, type FindCategory } from './categories.js';
import type { FragmentStore, Snapshot } from './fragment-store.js';
import { toAirtimeMinutes, computeViewerStatistics } from './viewer-statistics.js';
import { latestObservation, knownStatistics, UNDATED, memberValue, type Members } from './observations.js';

/** All members of a record, in the order of the import's schema, which checks their values afterwards. */
export type DraftRecord<T> = { readonly [M in keyof T]: unknown };
export type Draft = DraftRecord<Profile> | DraftRecord<Content> | DraftRecord<GameDetails> | DraftRecord<SocialsLine>;

/**
 * Creates a profile for the import.
 *
 * @param updatedAt the time of the newest observation, `UNDATED` if none has a time
 */
export function createProfileDraft(
  platform: Platform,
  id: string,
  members: Members,
  updatedAt: number,
): DraftRecord<Profile> {
  return {
    platform_id: platform,
    id,
    name: memberValue(members, 'name'),
    display_name: memberValue(members, 'display_name'),
    url: memberValue(members, 'url'),
    description: memberValue(members, 'description'),
    profile_image: memberValue(members, 'profile_image'),
    banner_image: memberValue(members, 'banner_image'),
    language: memberValue(members, 'language'),
    statistics: knownStatistics(members),
    account_type: memberValue(members, 'account_type'),
    is_mature: memberValue(members, 'is_mature'),
    updated_at: updatedAt === UNDATED ? null : new Date(updatedAt).toISOString(),
    last_active_at: memberValue(members, 'last_active_at'),
  };
}

/** Creates a content item for the import. */
export function createContentDraft(
  platform: Platform,
  id: string,
  members: Members,
  snapshots: readonly Snapshot[],
  find: FindCategory,
): DraftRecord<Content> {
  const duration = memberValue<number>(members, 'duration');
  const isBroadcast = platform === 'live_platform' && memberValue(members, 'type') === 'stream';
  return {
    content_id: id,
    platform,
    type: memberValue(members, 'type') ?? undefined,
    title: memberValue(members, 'title'),
    description: memberValue(members, 'description'),
    created_at: memberValue(members, 'created_at'),
    ended_at: memberValue(members, 'ended_at'),
    duration,
    url: itemUrl(members),
    categories: mergeCategories(platform, memberValue<Category[]>(members, 'categories') ?? [], snapshots, find),
    tags: memberValue(members, 'tags') ?? [],
    statistics: {
      ...knownStatistics(members),
      ...computeViewerStatistics(snapshots),
      ...(isBroadcast && duration !== null ? { airtime_minutes: { sum: toAirtimeMinutes(duration) } } : {}),
    },
    chapters: completeChapters(platform, memberValue<Chapter[]>(members, 'chapters') ?? [], find),
    profile_id: memberValue(members, 'profile_id'),
  };
}

/** Returns the URL of an item. A YouTube Short has another URL than a video. */
function itemUrl(members: Members): string | null {
  const url = memberValue<string>(members, 'url');
  const isShort = memberValue(members, 'type') === 'short';
  return isShort && url !== null ? url.replace(/^(https:\/\/www\.youtube\.com\/)watch\?v=/, '$1shorts/') : url;
}

/** Creates a game for the import. */
export function createGameDraft(id: string, members: Members): DraftRecord<GameDetails> {
  return {
    id,
    name: memberValue(members, 'name'),
    slug: memberValue(members, 'slug'),
    first_release_date: memberValue(members, 'first_release_date'),
    live_platform_id: memberValue(members, 'live_platform_id'),
    video_platform_id: memberValue(members, 'video_platform_id'),
    total_rating_count: memberValue(members, 'total_rating_count'),
  };
}

/** Sets a game's IDs on other platforms from its links: the ID that the platform states, else the lowest. */
export function applyGameLinks(store: FragmentStore, gameId: string, members: Members): void {
  for (const platform of ['live_platform', 'video_platform'] as const) {
    const name = `${platform}_id`;
    const link = store.get<{ platform_id: string; is_own: number }>(
      `SELECT platform_id, is_own FROM game_links WHERE platform = ? AND game_id = ?
       ORDER BY is_own DESC, length(platform_id), platform_id LIMIT 1`,
      platformCode(platform),
      gameId,
    );
    if (link === undefined || (link.is_own === 0 && memberValue(members, name) !== null)) continue;
    members.set(name, { at: members.get(name)?.at ?? latestObservation(members), value: link.platform_id });
  }
}

/** Sets the type that playlists of only one type prove. A stream stays a stream. */
export function applyTypeProof(store: FragmentStore, platform: Platform, id: string, members: Members): void {
  const types = store
    .all<{ type: string }>('SELECT type FROM content_types WHERE platform = ? AND id = ?', platformCode(platform), id)
    .map(({ type }) => type);
  const proven = ['stream', 'short', 'long'].find((type) => types.includes(type));
  const type = members.get('type');
  if (proven === undefined || type?.value === 'stream' || type?.value === proven) return;
  members.set('type', { at: type?.at ?? UNDATED, value: proven });
}
