import { readCounters } from '../../database/counters.js';
import type { Reader } from '../../database/database.js';
import { PLATFORMS } from '../../model/platforms.js';
import { createCursorOfNow } from './change-cursor.js';
import { FEED_KINDS, RESTORE_COUNTER, revisionCounter, type ChangedKind } from './feeds.js';

/** Cursor of each feed, by platform and kind; the feed of games is under `games`, its platform-independent kind. */
export type FeedCursors = Readonly<Record<string, Readonly<Partial<Record<ChangedKind, string>>>>>;

/** Key of the feed of games in `FeedCursors`. */
export const GAMES_FEED = 'games';

/**
 * Returns the cursors from which the feeds go on after what is stored now. Read them before the records that they belong to: a
 * change between the two is then in the feed again, instead of being missed.
 */
export async function currentCursors(reader: Reader): Promise<FeedCursors> {
  const kinds: readonly ChangedKind[] = [...FEED_KINDS, 'games'];
  const [mark = 0, ...revisions] = await readCounters(reader, RESTORE_COUNTER, ...kinds.map(revisionCounter));
  const stateOf = (kind: ChangedKind) => ({ latest: revisions[kinds.indexOf(kind)] ?? 0, mark });
  const ofPlatforms = PLATFORMS.map((platform) => {
    const cursors = FEED_KINDS.map((kind) => [kind, createCursorOfNow({ kind, platform }, stateOf(kind))] as const);
    return [platform, Object.fromEntries(cursors)] as const;
  });
  const games = createCursorOfNow({ kind: 'games', platform: null }, stateOf('games'));
  return { ...Object.fromEntries(ofPlatforms), [GAMES_FEED]: { games } };
}
