import type { SocialsLine } from '../../features/analysis/social-link.js';
import type { Category, Chapter, Content } from '../../features/content/content.js';
import type { GameDetails } from '../../features/games/game.js';
import type { Profile } from '../../features/profiles/profile.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import { categoriesOf, chaptersOf, type FindCategory } from './categories.js';
import type { Join, Snapshot } from './join.js';
import { airtimeMinutes, viewersOf } from './live.js';
import { newestOf, statisticsOf, UNDATED, valueOf, type Members } from './members.js';

/** All members of a record, in the order of the import's schema, which checks their values afterwards. */
export type DraftOf<T> = { readonly [M in keyof T]: unknown };
export type Draft = DraftOf<Profile> | DraftOf<Content> | DraftOf<GameDetails> | DraftOf<SocialsLine>;

/**
 * Creates a profile for the import.
 *
 * @param updatedAt the time of the newest observation, `UNDATED` if none has a time
 */
export function profileDraft(platform: Platform, id: string, members: Members, updatedAt: number): DraftOf<Profile> {
  return {
    platform_id: platform,
    id,
    name: valueOf(members, 'name'),
    display_name: valueOf(members, 'display_name'),
    url: valueOf(members, 'url'),
    description: valueOf(members, 'description'),
    profile_image: valueOf(members, 'profile_image'),
    banner_image: valueOf(members, 'banner_image'),
    language: valueOf(members, 'language'),
    statistics: statisticsOf(members),
    account_type: valueOf(members, 'account_type'),
    is_mature: valueOf(members, 'is_mature'),
    updated_at: updatedAt === UNDATED ? null : new Date(updatedAt).toISOString(),
    last_active_at: valueOf(members, 'last_active_at'),
  };
}

/** Creates a content item for the import. */
export function contentDraft(
  platform: Platform,
  id: string,
  members: Members,
  snapshots: readonly Snapshot[],
  find: FindCategory,
): DraftOf<Content> {
  const duration = valueOf<number>(members, 'duration');
  const isBroadcast = platform === 'live_platform' && valueOf(members, 'type') === 'stream';
  return {
    content_id: id,
    platform,
    type: valueOf(members, 'type') ?? undefined,
    title: valueOf(members, 'title'),
    description: valueOf(members, 'description'),
    created_at: valueOf(members, 'created_at'),
    ended_at: valueOf(members, 'ended_at'),
    duration,
    url: itemUrl(members),
    categories: categoriesOf(platform, valueOf<Category[]>(members, 'categories') ?? [], snapshots, find),
    tags: valueOf(members, 'tags') ?? [],
    statistics: {
      ...statisticsOf(members),
      ...viewersOf(snapshots),
      ...(isBroadcast && duration !== null ? { airtime_minutes: { sum: airtimeMinutes(duration) } } : {}),
    },
    chapters: chaptersOf(platform, valueOf<Chapter[]>(members, 'chapters') ?? [], find),
    profile_id: valueOf(members, 'profile_id'),
  };
}

/** Returns the URL of an item. A YouTube Short has another URL than a video. */
function itemUrl(members: Members): string | null {
  const url = valueOf<string>(members, 'url');
  const isShort = valueOf(members, 'type') === 'short';
  return isShort && url !== null ? url.replace(/^(https:\/\/www\.youtube\.com\/)watch\?v=/, '$1shorts/') : url;
}

/** Creates a game for the import. */
export function gameDraft(id: string, members: Members): DraftOf<GameDetails> {
  return {
    id,
    name: valueOf(members, 'name'),
    slug: valueOf(members, 'slug'),
    first_release_date: valueOf(members, 'first_release_date'),
    live_platform_id: valueOf(members, 'live_platform_id'),
    video_platform_id: valueOf(members, 'video_platform_id'),
    total_rating_count: valueOf(members, 'total_rating_count'),
  };
}

/** Sets a game's IDs on other platforms from its links: the ID that the platform states, else the lowest. */
export function linkGame(store: Join, gameId: string, members: Members): void {
  for (const platform of ['live_platform', 'video_platform'] as const) {
    const name = `${platform}_id`;
    const link = store.get<{ platform_id: string; is_own: number }>(
      `SELECT platform_id, is_own FROM game_links WHERE platform = ? AND game_id = ?
       ORDER BY is_own DESC, length(platform_id), platform_id LIMIT 1`,
      platformCode(platform),
      gameId,
    );
    if (link === undefined || (link.is_own === 0 && valueOf(members, name) !== null)) continue;
    members.set(name, { at: members.get(name)?.at ?? newestOf(members), value: link.platform_id });
  }
}

/** Sets the type that playlists of only one type prove. A stream stays a stream. */
export function proveForm(store: Join, platform: Platform, id: string, members: Members): void {
  const forms = store
    .all<{ type: string }>('SELECT type FROM forms WHERE platform = ? AND id = ?', platformCode(platform), id)
    .map(({ type }) => type);
  const proven = ['stream', 'short', 'long'].find((type) => forms.includes(type));
  const type = members.get('type');
  if (proven === undefined || type?.value === 'stream' || type?.value === proven) return;
  members.set('type', { at: type?.at ?? UNDATED, value: proven });
}
