import { platformCode } from '../../model/platforms.js';
import { MAX_ID_BYTES } from '../../model/scalars.js';
import { fixedError } from '../../http/errors/api-error.js';
import { invalidCursor, parseCursor } from '../../http/paging/cursor.js';
import type { Feed, FeedState } from './feeds.js';

/** Place in a feed: after the record `key` of a revision, or after all of the revision. */
export interface FeedPosition {
  readonly revision: number;
  readonly key: string | null;
}

/** Place before every record. Records from before changes were counted have revision 0. */
export const FEED_START: FeedPosition = { revision: -1, key: null };

/** Encodes a place as an opaque, URL-safe token. @param mark value of `RESTORE_COUNTER` of the store */
export function encodeChangeCursor({ kind, platform }: Feed, { revision, key }: FeedPosition, mark: number): string {
  const code = platform === null ? 0 : platformCode(platform);
  return Buffer.from(JSON.stringify(['changes', kind, code, mark, revision, key])).toString('base64url');
}

/** Returns the cursor of the place where a feed is now. */
export const createCursorOfNow = (feed: Feed, { latest, mark }: FeedState): string =>
  encodeChangeCursor(feed, { revision: latest, key: null }, mark);

/** @throws ApiError 400 unless the cursor was created for this feed, and 410 if the store was restored since (`mark`) or has not
 * come as far (`latest`) */
export function decodeChangeCursor(cursor: string, feed: Feed, mark: number, latest: number): FeedPosition {
  const [, , , cursorMark, revision, key] = parseCursor(cursor);
  if (!Number.isSafeInteger(cursorMark) || !Number.isSafeInteger(revision)) throw invalidCursor();
  if (key !== null && (typeof key !== 'string' || key === '' || Buffer.byteLength(key) > MAX_ID_BYTES)) {
    throw invalidCursor();
  }
  const position = { revision: Number(revision), key };
  // Compare the token itself: base64url decoding ignores stray characters and padding.
  if (encodeChangeCursor(feed, position, Number(cursorMark)) !== cursor) throw invalidCursor();
  if (position.revision < FEED_START.revision) throw invalidCursor();
  if (Number(cursorMark) !== mark || position.revision > latest)
    throw fixedError('cursor_ahead', { parameter: 'cursor' });
  return position;
}
