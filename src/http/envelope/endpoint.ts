import { applyDecorators, HttpCode, SetMetadata } from '@nestjs/common';
import { endpointDocumentation } from './endpoint-documentation.js';
import type { EndpointOptions } from './endpoint-rules.js';

type AsksFor = NonNullable<EndpointOptions['asksFor']>;

/** The key under which a controller method carries its `EndpointRules`. */
export const ENDPOINT = 'creator-data:endpoint';

/** Declares a controller method as an endpoint. A method without is open to everybody and not recorded. */
export function Endpoint(options: EndpointOptions): MethodDecorator {
  return applyDecorators(SetMetadata(ENDPOINT, options), HttpCode(200), ...endpointDocumentation(options));
}

/** Asks for as many items as the page may hold. @param Request has the default of `limit` */
export function pageOf(Request: new () => { readonly limit: number }): AsksFor {
  const { limit: byDefault } = new Request();
  return ({ query }) => (query.limit === undefined ? byDefault : Number(query.limit));
}

/** Asks for the distinct items of a batch. @param sameAs brings items to the form in which they are compared */
export function itemsOf(member: string, sameAs = (item: string): string => item): AsksFor {
  return ({ body }) => new Set((body as Record<string, string[]>)[member]?.map(sameAs)).size;
}
