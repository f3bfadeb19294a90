import { applyDecorators, HttpCode, SetMetadata } from '@nestjs/common';
import type { OperationName } from '../../model/operation.js';
import type { ApiRequest } from '../lean-express.adapter.js';
import { endpointDocumentation, type MetaMember, type PayloadName } from './endpoint-documentation.js';

/** What guards, envelope and usage record need to know of an endpoint. */
export interface EndpointRules {
  /** Price and usage label. */
  readonly operation: OperationName;
  /** What a valid request asks for, in items: what units are counted by. */
  readonly asksFor: (request: ApiRequest) => number;
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

/** The key under which a controller method carries its `EndpointRules`. */
export const ENDPOINT = 'creator-data:endpoint';

/** Declares a controller method as an endpoint. A method without is open to everybody and not recorded. */
export function Endpoint(options: EndpointOptions): MethodDecorator {
  return applyDecorators(SetMetadata(ENDPOINT, options), HttpCode(200), ...endpointDocumentation(options));
}

/** Asks for one item. */
export const oneItem = (): number => 1;

/** Asks for as many items as the page may hold. @param Request has the default of `limit` */
export function pageOf(Request: new () => { readonly limit: number }): EndpointOptions['asksFor'] {
  const { limit: byDefault } = new Request();
  return ({ query }) => (query.limit === undefined ? byDefault : Number(query.limit));
}

/** Asks for the distinct items of a batch. @param sameAs brings items to the form in which they are compared */
export function itemsOf(member: string, sameAs = (item: string): string => item): EndpointOptions['asksFor'] {
  return ({ body }) => new Set((body as Record<string, string[]>)[member]?.map(sameAs)).size;
}
