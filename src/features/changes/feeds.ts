import type { OperationName } from '../../model/operation.js';
import { platformCode, type Platform } from '../../model/platforms.js';

/** Kinds of records with a feed of changes for each platform. */
export const FEED_KINDS = ['profiles', 'content', 'analysis', 'audience', 'socials', 'emails'] as const;

export type FeedKind = (typeof FEED_KINDS)[number];

/** Kinds with a feed. Games have one feed for all platforms. */
export type ChangedKind = FeedKind | 'games';

/** One feed: a kind, and its platform; null for games. */
export interface Feed {
  readonly kind: ChangedKind;
  readonly platform: Platform | null;
}

/** State of a feed's kind in the store. */
export interface FeedState {
  /** Revision of the last transaction that changed the kind on any platform. */
  readonly latest: number;
  /** Changes when the store is restored from a back-up. */
  readonly mark: number;
}

/** First scope of each kind; the code of the platform is added. */
const SCOPES: Readonly<Record<FeedKind, number>> = {
  profiles: 0,
  content: 10,
  analysis: 20,
  audience: 30,
  socials: 40,
  emails: 50,
};

/** Returns the scope of a kind and platform in the table of deleted records. Stored rows use scopes, so they never change. */
export const feedScope = (kind: FeedKind, platform: Platform | number): number =>
  SCOPES[kind] + (typeof platform === 'number' ? platform : platformCode(platform));

/** Returns the name of the counter with the revision of the last transaction that changed records of a kind. */
export const revisionCounter = (kind: ChangedKind): string => `${kind}_revision`;

/** Counter whose value changes when the store is restored from a back-up. Cursors contain it. */
export const RESTORE_COUNTER = 'restore_mark';

/** Look-up of each kind, whose price a change of the kind has. */
export const LOOK_UPS: Readonly<Record<ChangedKind, OperationName>> = {
  profiles: 'profiles.get',
  content: 'content.get',
  analysis: 'analysis.get',
  audience: 'audience.get',
  socials: 'socials.get',
  emails: 'email.get',
  games: 'games.get',
};
