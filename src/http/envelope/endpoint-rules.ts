import type { OperationName } from '../../model/operation.js';

/** The members of `meta` that occur. */
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

/** The payloads, by the name of their schema in the OpenAPI document. */
export type PayloadName =
  | 'Profile'
  | 'HandleMapping'
  | 'Content'
  | 'Game'
  | 'GameDetails'
  | 'CreatorAnalysis'
  | 'AudienceAnalysis'
  | 'SocialLink'
  | 'Email'
  | 'UsageLine';

/** The parameters of a request that has passed its pipe. */
export interface RequestParameters {
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** What guards, envelope and usage record need to know of an endpoint. */
export interface EndpointRules {
  /** Price and usage label. */
  readonly operation: OperationName;
  /** What a valid request asks for, in items: what units are counted by. */
  readonly asksFor: (parameters: RequestParameters) => number;
  /** Whether it has query parameters; without, any parameter is unknown. */
  readonly takesQuery?: boolean;
  readonly takesBody?: boolean;
  /** Members of `meta`, in the order they are sent. */
  readonly meta: readonly MetaMember[];
}

/** Everything that is special about an endpoint, in one place: its rules, and what the documentation says of it. */
export interface EndpointOptions extends EndpointRules {
  readonly summary: string;
  /** The values of the path parameter `platform`; none where the path has no such segment. */
  readonly platforms?: readonly string[];
  /** Other path parameters, with what they are. */
  readonly path?: Readonly<Record<string, string>>;
  readonly payload: { readonly one: PayloadName } | { readonly many: PayloadName };
  readonly paging?: 'cursor' | 'cursor and has_more';
  /** The messages of this endpoint's own 404s. */
  readonly notFound?: readonly string[];
}
