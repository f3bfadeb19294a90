import { UNKNOWN_SORT_VALUE } from '../../database/columns.js';
import type { Order } from '../../database/keyset.js';
import type { SqlValue } from '../../database/statements.js';
import { fixedError, type ApiError } from '../errors/api-error.js';
import { MAX_ID_BYTES } from '../../model/scalars.js';

/** List and order that a cursor is valid for. */
export interface CursorScope {
  readonly list: string;
  /** Values that select one of the lists with this name: the platform, and the creator or game. */
  readonly scope: readonly SqlValue[];
  readonly sort: string;
  readonly order: Order;
}

/** Last item of a page; the next page starts after it. */
export interface Position {
  /** Stored sort value; `UNKNOWN_SORT_VALUE` if the item has none. */
  readonly value: number;
  readonly id: string;
}

/** Encodes a position as an opaque, URL-safe token. It never expires, because the server stores nothing for it. Filters
 * are not part of it, so they may change between pages. */
export function encodeCursor({ list, scope, sort, order }: CursorScope, { value, id }: Position): string {
  const sortValue = value === UNKNOWN_SORT_VALUE ? null : value;
  return Buffer.from(JSON.stringify([list, sort, order, sortValue, id, ...scope])).toString('base64url');
}

/** @throws ApiError 400 `Invalid cursor` unless the cursor was created for this list and order */
export function decodeCursor(cursor: string, expected: CursorScope): Position {
  const parts = parseCursor(cursor);
  const [, , , value, id] = parts;
  if (value !== null && !Number.isSafeInteger(value)) throw invalidCursor();
  if (typeof id !== 'string' || id === '' || Buffer.byteLength(id) > MAX_ID_BYTES) throw invalidCursor();
  const position = { value: value === null ? UNKNOWN_SORT_VALUE : Number(value), id };
  // Cursors of earlier versions have no scope and never expire: accept them on every list of this name.
  const scoped = parts.length === PARTS_WITHOUT_SCOPE ? { ...expected, scope: [] } : expected;
  // Compare the token itself: base64url decoding ignores stray characters and padding.
  if (encodeCursor(scoped, position) !== cursor) throw invalidCursor();
  return position;
}

const PARTS_WITHOUT_SCOPE = 5;

/** Decodes the parts of a token, unchecked. @throws ApiError 400 unless it is a list */
export function parseCursor(cursor: string): readonly unknown[] {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw invalidCursor();
  }
  if (!Array.isArray(parts)) throw invalidCursor();
  return parts;
}

export const invalidCursor = (): ApiError => fixedError('invalid_cursor', { parameter: 'cursor' });
