import type { Order } from '../../database/keyset.js';
import type { QueryWord } from '../games/search-words.mjs';
import type { Attribute } from './segments/terms.mjs';

/** Member that results are sorted by. */
export type SearchSort = 'followers' | 'last_active_at';

/** Conditions on creators, which must all be met. Those in `not` must all be missed. */
export interface Criteria {
  /** Inclusive bounds; a creator without followers meets none. */
  readonly followers: { readonly min: number | null; readonly max: number | null } | null;
  /** Milliseconds since 1970, inclusive. */
  readonly lastActiveAfter: number | null;
  /** Attributes of which a creator must have one of the values. */
  readonly values: readonly { readonly attribute: Attribute; readonly values: readonly string[] }[];
}

/** Position of a creator in the order of results. */
export interface SearchPosition {
  /** Stored sort value. */
  readonly value: number;
  readonly id: string;
}

/** Selection and order of creators. */
export interface SearchQuery {
  /** Null without a text; an empty list matches nothing. */
  readonly words: readonly QueryWord[] | null;
  readonly filters: Criteria;
  readonly not: Criteria;
  readonly excludedIds: readonly string[];
  readonly sort: SearchSort;
  readonly order: Order;
}

/** Creator that a query found. */
export interface SearchHit extends SearchPosition {
  /** Bytes of the ID, by which ties are broken. */
  readonly idBytes: Buffer;
}

/** Attributes whose values can be counted. */
export const FACETS = ['language', 'account_type', 'topics', 'countries'] as const;

export type Facet = (typeof FACETS)[number];

/** Value of a facet, and the number of creators with it. */
export interface FacetCount {
  readonly value: string;
  readonly count: number;
}
