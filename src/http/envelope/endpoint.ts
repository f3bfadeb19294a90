import { applyDecorators, HttpCode, SetMetadata } from '@nestjs/common';
import { PRICES } from '../../receipts/prices.js';
import { endpointDocumentation } from './endpoint-documentation.js';
import type { EndpointOptions } from './endpoint-rules.js';

type AsksFor = NonNullable<EndpointOptions['asksFor']>;

/** The key under which a controller method carries its `EndpointRules`. */
export const ENDPOINT = 'creator-data:endpoint';

/**
 * Declares a controller method as an endpoint. A method without is asked for no key by the guards and not
 * recorded; `/mcp` asks the key guard itself.
 * @throws Error, which stops the start, where units are charged by the item but items are not declared, or the reverse
 */
export function Endpoint(options: EndpointOptions): MethodDecorator {
  const { operation, asksFor } = options;
  const { amount, per } = PRICES[operation].units;
  const chargesItems = per === 'item' && amount > 0;
  if (chargesItems !== (asksFor !== undefined)) {
    throw new Error(`${operation}: \`asksFor\` belongs to an endpoint whose units are charged by the item`);
  }
  return applyDecorators(SetMetadata(ENDPOINT, options), HttpCode(200), ...endpointDocumentation(options));
}

/** Asks for as many items as the page may hold. @param Request has the default of `limit` */
export function pageOf(Request: new () => { readonly limit: number }): AsksFor {
  const { limit: byDefault } = new Request();
  return ({ query }) => (query.limit === undefined ? byDefault : Number(query.limit));
}

/** Asks for the distinct items of a batch. @param _Request has the batch as `member` @param sameAs brings items to the form in which they are compared */
export function itemsOf<T extends object, M extends keyof T & string>(
  _Request: new () => T & Readonly<Record<M, string[]>>,
  member: M,
  sameAs = (item: string): string => item,
): AsksFor {
  return ({ body }) => new Set((body as Readonly<Record<M, string[]>>)[member].map(sameAs)).size;
}
