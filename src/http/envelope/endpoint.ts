import { applyDecorators, HttpCode, SetMetadata } from '@nestjs/common';
import { PRICES } from '../../receipts/prices.js';
import { documentEndpoint } from './endpoint-documentation.js';
import type { EndpointOptions } from './endpoint-rules.js';

type RequestedItems = NonNullable<EndpointOptions['requestedItems']>;

/** Metadata key of a handler's `EndpointRules`. */
export const ENDPOINT = 'creator-data:endpoint';

/**
 * Declares a handler as an endpoint of the API. The guards require no key for other handlers, and these are not recorded;
 * `/mcp` calls the key guard itself.
 * @throws Error, which stops the start, unless `requestedItems` is given exactly when units are charged per item, and every list counts
 * its records
 */
export function Endpoint(options: EndpointOptions): MethodDecorator {
  const { operation, requestedItems } = options;
  const { amount, per } = PRICES[operation].units;
  const chargesItems = per === 'item' && amount > 0;
  if (chargesItems !== (requestedItems !== undefined)) {
    throw new Error(`${operation}: give \`requestedItems\` if, and only if, units are charged per item`);
  }
  if (options.paging !== undefined && (requestedItems ?? options.readRecords) === undefined) {
    throw new Error(`${operation}: give \`readRecords\`: a key reads only so many records at a time`);
  }
  return applyDecorators(SetMetadata(ENDPOINT, options), HttpCode(200), ...documentEndpoint(options));
}

/** Counts the items of a page as requested, however many it has. @param Request supplies the default of `limit` */
export function pageLimit(Request: new () => { readonly limit: number }): RequestedItems {
  const { limit: byDefault } = new Request();
  return ({ query }) => (query.limit === undefined ? byDefault : Number(query.limit));
}

/** Counts the items of a page as requested, for a list whose parameters are the members of a body. @param Request likewise */
export function bodyLimit(Request: new () => { readonly limit: number }): RequestedItems {
  const { limit: byDefault } = new Request();
  return ({ body }) => (body as { readonly limit?: number } | null)?.limit ?? byDefault;
}

/**
 * Counts the distinct items of a batch as requested.
 * @param _Request has the batch as `member`
 * @param normalize converts an item to the form in which items are compared
 */
export function batchSize<T extends object, M extends keyof T & string>(
  _Request: new () => T & Readonly<Record<M, string[]>>,
  member: M,
  normalize = (item: string): string => item,
): RequestedItems {
  return ({ body }) => {
    const items: unknown = (body as Readonly<Record<M, unknown>> | null)?.[member];
    // Before the body is validated, it may be anything.
    return Array.isArray(items)
      ? new Set(items.map((item) => (typeof item === 'string' ? normalize(item) : item))).size
      : 1;
  };
}
