import { UNKNOWN_SORT_VALUE } from '../../database/columns.js';
import type { Order } from '../../database/keyset.js';
import type { SqlValue } from '../../database/statements.js';
import { badRequest } from '../api-error.js';
import { MAX_ID_BYTES } from '../../model/scalars.js';

/** What a cursor is made for: a list in an order. */
export interface ListPlace {
  readonly list: string;
  /** Which list of this name it is: the platform, and the creator or game. */
  readonly scope: readonly SqlValue[];
  readonly sort: string;
  readonly order: Order;
}

/** The last item of a page: the next one starts behind it. */
export interface Position {
  /** The stored sort value, `UNKNOWN_SORT_VALUE` where the item has none. */
  readonly value: number;
  readonly id: string;
}

/** An opaque, URL-safe token that never expires: it holds the position itself, nothing is kept on the server.
 * Filters are not part of it: they may change between pages. */
export function encodeCursor({ list, scope, sort, order }: ListPlace, { value, id }: Position): string {
  const known = value === UNKNOWN_SORT_VALUE ? null : value;
  return Buffer.from(JSON.stringify([list, sort, order, known, id, ...scope])).toString('base64url');
}

/** Reads a cursor back. @throws ApiError 400 `Invalid cursor` unless it was made for this list and order */
export function decodeCursor(cursor: string, expected: ListPlace): Position {
  const parts = parse(cursor);
  if (!Array.isArray(parts)) throw invalidCursor();
  const [, , , value, id] = parts as unknown[];
  if (value !== null && !Number.isSafeInteger(value)) throw invalidCursor();
  if (typeof id !== 'string' || id === '' || Buffer.byteLength(id) > MAX_ID_BYTES) throw invalidCursor();
  const position = { value: value === null ? UNKNOWN_SORT_VALUE : Number(value), id };
  // Earlier versions left the scope out, and their cursors do not expire: accept them on every list of the name.
  const place = parts.length === PARTS_WITHOUT_SCOPE ? { ...expected, scope: [] } : expected;
  // Only the exact token of this list and order is valid: base64url decoding ignores stray characters and padding.
  if (encodeCursor(place, position) !== cursor) throw invalidCursor();
  return position;
}

const PARTS_WITHOUT_SCOPE = 5;

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw invalidCursor();
  }
}

const invalidCursor = () => badRequest('Invalid cursor');
