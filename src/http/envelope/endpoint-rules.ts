import type { OperationName } from '../../model/operation.js';
import type { NotFoundCodes } from '../errors/error-codes.js';

export type MetaMember =
  | 'source'
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
  | 'totals'
  | 'allowance';

export interface RequestParameters {
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Properties of an endpoint that guards, envelope and usage record read. */
export interface EndpointRules {
  readonly operation: OperationName;
  /** Counts the items that a valid request asks for. Only for endpoints whose units are charged per item. */
  readonly requestedItems?: (parameters: RequestParameters) => number;
  /** Accepted values of the path parameter `platform`, if the path has one. */
  readonly platforms?: readonly string[];
  /** Whether the endpoint has query parameters; otherwise any parameter is rejected. */
  readonly takesQuery?: boolean;
  readonly takesBody?: boolean;
  readonly meta: readonly MetaMember[];
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
  readonly paging?: 'cursor' | 'cursor and has_more';
  /** Codes of this endpoint's 404s. */
  readonly notFound?: NotFoundCodes;
}
