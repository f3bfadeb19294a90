import type { Content } from '../features/content/content.js';
import type { GameDetails } from '../features/games/game.js';
import type { Profile } from '../features/profiles/profile.js';
import type { Platform } from '../model/platforms.js';

/** Where a document came from: what an envelope says of it, and its place for messages. */
export interface DocumentContext {
  /** The request's address, if an envelope told it; many responses do not say whose they are. */
  readonly url: URL | null;
  /** The request's body, if an envelope told it. */
  readonly request: unknown;
  /** When the response was received; null when nothing says so. */
  readonly fetchedAt: Date | null;
  /** The stream's name in a Singer or Airbyte record, or null. */
  readonly stream: string | null;
}

/**
 * What one call says about one record. A member that the call cannot know is absent; one that it knows to be empty is null.
 * When fragments of a record are joined, the newest observation wins for each member, and an absent member never overwrites.
 */
interface Observation<Known> {
  readonly platform: Platform;
  readonly id: string;
  readonly observedAt: Date | null;
  readonly known: Readonly<Known>;
}

/** Counts are members of their own: a call may know the followers and not the views. */
type KnownOf<T extends { readonly statistics: object }> = Partial<Omit<T, 'statistics'>> & {
  readonly statistics?: Readonly<Partial<T['statistics']>>;
};

/** `updated_at` is made of the observations; `last_active_at` is the latest of all fragments and of the items published. */
export interface ProfileFragment extends Observation<KnownOf<Omit<Profile, 'id' | 'platform_id' | 'updated_at'>>> {
  readonly kind: 'profile';
}

/** A type that is known for sure wins over `video`, which on some platforms means that the form is unknown. */
export interface ContentFragment extends Observation<KnownOf<Omit<Content, 'content_id' | 'platform' | 'profile_id'>>> {
  readonly kind: 'content';
  readonly author: Author | null;
}

/** Whose a record is: by ID, or by a handle that is looked up among the profiles of the run and the loaded ones. */
export type Author = { readonly id: string } | { readonly handle: string };

/** One look at a live stream. Viewers and air time are made of all looks at it. */
export interface StreamSnapshot {
  readonly kind: 'snapshot';
  readonly platform: Platform;
  readonly contentId: string;
  readonly at: Date;
  readonly viewers: number;
  readonly game: { readonly id: string; readonly name: string | null } | null;
}

/** A game of the game database. */
export interface GameFragment {
  readonly kind: 'game';
  readonly id: string;
  readonly observedAt: Date | null;
  readonly known: Partial<Omit<GameDetails, 'id'>>;
}

/** That a platform's category and a game of the game database are the same. */
export interface GameLink {
  readonly kind: 'game-link';
  readonly platform: 'live_platform' | 'video_platform';
  readonly platformId: string;
  readonly gameId: string;
  /** `platform`: the platform's own call says so; it is preferred where the game database names several. */
  readonly saidBy: 'platform' | 'gamedb';
}

/** The name of a category, for records that carry its ID alone. */
export interface CategoryName {
  readonly kind: 'category-name';
  readonly platform: Platform;
  readonly id: string;
  readonly name: string;
}

/** Proof of an item's form, from a list that holds only items of that form. */
export interface FormProof {
  readonly kind: 'form-proof';
  readonly platform: Platform;
  readonly contentId: string;
  readonly type: 'short' | 'long' | 'stream';
}

/** A link from one creator to another's page; links become `socials` where they are mutual. */
export interface ProfileLink {
  readonly kind: 'link';
  readonly platform: Platform;
  readonly profileId: string;
  readonly url: string;
}

/** Something that was understood and is no record, with the reason for the report, such as `repost`. */
export interface Skipped {
  readonly kind: 'skipped';
  readonly reason: string;
}

/** Something that should have become a record and cannot, with the member's path and a sentence for the operator. */
export interface Rejected {
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
  | FormProof
  | ProfileLink
  | Skipped
  | Rejected;

/** What a mapper makes of one document: fragments, and the top-level members it has never heard of (`users.new_member`). */
export interface Mapped {
  readonly fragments: readonly Fragment[];
  readonly unknownMembers: readonly string[];
}

/**
 * One source's reader. Pure: the same document and context always give the same fragments. A document is a JSON object:
 * arrays of files and bodies come item by item, rows of a CSV file as objects of texts. Integers beyond 2^53 are texts.
 */
export interface Mapper {
  /** The word for `SOURCE` on the command line. */
  readonly source: string;
  /** Whether the document is of this source, for `auto`: from what is in it or from the request's address. */
  recognises(document: unknown, context: DocumentContext): boolean;
  map(document: unknown, context: DocumentContext): Mapped;
}
