import type { OperationName } from '../../model/operation.js';

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
  | 'totals';

/** The parameters of a request that its pipes accepted. */
export interface RequestParameters {
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** What guards, envelope and usage record need to know of an endpoint. */
export interface EndpointRules {
  readonly operation: OperationName;
  /** How many items a valid request asks for, where units are charged by the item. */
  readonly asksFor?: (parameters: RequestParameters) => number;
  /** The values of the path parameter `platform`; none where the path has no such segment. */
  readonly platforms?: readonly string[];
  /** Whether it has query parameters; without, any parameter is unknown. */
  readonly takesQuery?: boolean;
  readonly takesBody?: boolean;
  readonly meta: readonly MetaMember[];
}

/** Everything that is special about an endpoint, in one place: its rules, and what the documentation says of it. */
export interface EndpointOptions extends EndpointRules {
  readonly summary: string;
  /** What it is for; what it costs and what its 404s mean is said by the documentation itself. */
  readonly description: string;
  /** Other path parameters, with what they are. */
  readonly path?: Readonly<Record<string, string>>;
  /** The name of its schema in the OpenAPI document, checked when that is made. */
  readonly payload: { readonly one: string } | { readonly many: string };
  readonly paging?: 'cursor' | 'cursor and has_more';
  /** The messages of this endpoint's own 404s, the same constants that it throws, with what they mean. */
  readonly notFound?: Readonly<Record<string, string>>;
}
