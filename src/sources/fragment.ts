import type { Content } from '../features/content/content.js';
import type { GameDetails } from '../features/games/game.js';
import type { Profile } from '../features/profiles/profile.js';
import type { Platform } from '../model/platforms.js';

/** Where a document came from, as far as its envelope says. */
export interface DocumentContext {
  /** The request's URL, or null if the envelope has none. Many responses can be attributed only by it. */
  readonly url: URL | null;
  /** The request's body, or null if the envelope has none. */
  readonly request: unknown;
  /** When the response was received, or null if that is unknown. */
  readonly fetchedAt: Date | null;
  /** The stream's name in a Singer or Airbyte record, or null. */
  readonly stream: string | null;
}

/**
 * One call's knowledge of one record. A member that the call does not return is absent; a member that the call returns empty
 * is null. When fragments of a record are merged, the newest observation of each member wins; an absent member never overwrites.
 */
interface Observation<Known> {
  readonly platform: Platform;
  readonly id: string;
  readonly observedAt: Date | null;
  readonly known: Readonly<Known>;
}

/** A record's members, each optional. Each count is optional too: a call may return followers without views. */
type KnownOf<T extends { readonly statistics: object }> = Partial<Omit<T, 'statistics'>> & {
  readonly statistics?: Readonly<Partial<T['statistics']>>;
};

/**
 * Fragment of a profile. `updated_at` is derived from the observations; `last_active_at` is the latest time of all fragments
 * and of the creator's items.
 */
export interface ProfileFragment extends Observation<KnownOf<Omit<Profile, 'id' | 'platform_id' | 'updated_at'>>> {
  readonly kind: 'profile';
}

/** Fragment of a content item. Any other type wins over `video`, which can mean that the type is unknown. */
export interface ContentFragment extends Observation<KnownOf<Omit<Content, 'content_id' | 'platform' | 'profile_id'>>> {
  readonly kind: 'content';
  readonly author: Author | null;
}

/** Author of an item: an ID, or a handle to look up among the profiles of the run and the stored profiles. */
export type Author = { readonly id: string } | { readonly handle: string };

/** Viewer count of a live stream at one time. Viewer statistics are computed from all snapshots of a stream. */
export interface StreamSnapshot {
  readonly kind: 'snapshot';
  readonly platform: Platform;
  readonly contentId: string;
  readonly at: Date;
  readonly viewers: number;
  readonly game: { readonly id: string; readonly name: string | null } | null;
}

/** Fragment of a game in the game database. */
export interface GameFragment {
  readonly kind: 'game';
  readonly id: string;
  readonly observedAt: Date | null;
  readonly known: Partial<Omit<GameDetails, 'id'>>;
}

/** Link between a platform's category and a game of the game database. */
export interface GameLink {
  readonly kind: 'game-link';
  readonly platform: 'live_platform' | 'video_platform';
  readonly platformId: string;
  readonly gameId: string;
  /** Which side states the link. The platform's statement is preferred when the game database has several candidates. */
  readonly statedBy: 'platform' | 'gamedb';
}

/** Name of a category, for records that contain only its ID. */
export interface CategoryName {
  readonly kind: 'category-name';
  readonly platform: Platform;
  readonly id: string;
  readonly name: string;
}

/** Type of an item, proven by a playlist that contains only items of that type. */
export interface TypeProof {
  readonly kind: 'type-proof';
  readonly platform: Platform;
  readonly contentId: string;
  readonly type: 'short' | 'long' | 'stream';
}

/** Link from a creator to a profile page. Mutual links become `socials`. */
export interface ProfileLink {
  readonly kind: 'link';
  readonly platform: Platform;
  readonly profileId: string;
  readonly url: string;
}

/** Valid input that is not a record, with a reason for the report, such as `repost`. */
export interface Skipped {
  readonly kind: 'skipped';
  readonly reason: string;
}

/** Invalid input, with the path of the invalid member and a reason for the operator. */
export interface RejectedFragment {
  readonly kind: 'rejected';
  readonly path: string;
  readonly reason: string;
}

export type Fragment =
  | ProfileFragment
  | ContentFragment
  | StreamSnapshot
  | GameFragment
  | GameLink
  | CategoryName
  | TypeProof
  | ProfileLink
  | Skipped
  | RejectedFragment;

/** Result of mapping one document: fragments, and the names of members that the mapper does not know (`users.new_member`). */
export interface MappingResult {
  readonly fragments: readonly Fragment[];
  readonly unknownMembers: readonly string[];
}

/**
 * Converts documents of one source into fragments. A mapper is pure: the same document and context give the same fragments.
 * A document is a JSON object: arrays are split into their items, and each CSV row is an object of strings. Integers beyond
 * 2^53 are strings.
 */
export interface Mapper {
  /** The value of `SOURCE` on the command line. */
  readonly source: string;
  /** Reports whether the document is from this source, by its members or the request's URL. `auto` uses it. */
  recognises(document: unknown, context: DocumentContext): boolean;
  map(document: unknown, context: DocumentContext): MappingResult;
}
