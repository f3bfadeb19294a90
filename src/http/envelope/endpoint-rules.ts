import type { OperationName } from '../../model/operation.js';
import type { FixedCode, NotFoundCodes } from '../errors/error-codes.js';

export type MetaMember =
  | 'source'
  | 'record_source'
  | 'received_at'
  | 'request_id'
  | 'platform'
  | 'optional_platform'
  | 'profile_id'
  | 'missing_ids'
  | 'missing_handles'
  | 'query'
  | 'limit'
  | 'game'
  | 'last_updated_at'
  | 'available'
  | 'first_observed_at'
  | 'creators'
  | 'count'
  | 'facets'
  | 'totals'
  | 'allowance';

/** Members that are described differently on some endpoints, under the same name. */
const META_NAMES: { readonly [Member in MetaMember]?: string } = {
  record_source: 'source',
  optional_platform: 'platform',
};

/** Returns the name of a member in an answer. */
export const metaName = (member: MetaMember): string => META_NAMES[member] ?? member;

/** Members of `paging`. A `feed` never ends: it always has a cursor. */
export type PagingKind = 'cursor' | 'cursor and has_more' | 'feed';

export interface RequestParameters {
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Properties of an endpoint that guards, envelope and usage record read. */
export interface EndpointRules {
  readonly operation: OperationName;
  /** Counts the items that a valid request asks for. Only for endpoints whose units are charged per item. */
  readonly requestedItems?: (parameters: RequestParameters) => number;
  /** Counts the records that a valid request reads, if its units are not charged by them. */
  readonly readRecords?: (parameters: RequestParameters) => number;
  /** Accepted values of the path parameter `platform`, if the path has one. */
  readonly platforms?: readonly string[];
  /** Whether the endpoint has query parameters; otherwise any parameter is rejected. */
  readonly takesQuery?: boolean;
  readonly takesBody?: boolean;
  readonly meta: readonly MetaMember[];
  /** Codes of this endpoint's 404s. */
  readonly notFound?: NotFoundCodes;
}

/** Declaration of an endpoint: its rules and its documentation. */
export interface EndpointOptions extends EndpointRules {
  readonly summary: string;
  /** Purpose of the endpoint. Cost and 404s are added from the price and from `notFound`. */
  readonly description: string;
  /** Descriptions of further path parameters by name. */
  readonly path?: Readonly<Record<string, string>>;
  /** Schema of the payload in the OpenAPI document, by its name. */
  readonly payload: { readonly one: string } | { readonly many: string };
  readonly paging?: PagingKind;
  /** Codes of errors that only this endpoint has, beside its 404s. */
  readonly errors?: readonly FixedCode[];
  /** Members of `meta` that only some requests add. */
  readonly included?: readonly MetaMember[];
}
