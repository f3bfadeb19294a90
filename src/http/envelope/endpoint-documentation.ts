import { ApiOperation, ApiParam, ApiResponse, ApiSecurity, type ApiResponseOptions } from '@nestjs/swagger';
import { isPlatform, PLATFORM_ORIGINS } from '../../model/platforms.js';
import { PRICES } from '../../receipts/prices.js';
import { fixedError, notFound } from '../errors/api-error.js';
import { ERROR_CODES, type FixedCode, type NotFoundCodes } from '../errors/error-codes.js';
import type { EndpointOptions } from './endpoint-rules.js';
import { DATA_HEADERS, headerReferences, RECEIPT_HEADERS } from './header-documentation.js';
import { createErrorExample, createMetaSchema, createPagingSchema, type Schema } from './envelope-schemas.js';

/** Returns the decorators that document an endpoint. `createOpenApiDocument` adds the responses that all endpoints share. */
export function documentEndpoint(options: EndpointOptions): MethodDecorator[] {
  const { operation, summary, platforms, path = {} } = options;
  return [
    ApiSecurity('api-key'),
    ApiOperation({ operationId: operation, summary, description: describeOperation(options) }),
    ...(platforms === undefined
      ? []
      : [
          ApiParam({
            name: 'platform',
            schema: { type: 'string', enum: [...platforms] },
            description: describePlatforms(platforms),
          }),
        ]),
    ...Object.entries(path).map(([name, description]) =>
      ApiParam({ name, schema: { type: 'string', minLength: 1 }, description }),
    ),
    describeSuccess(options),
    ...(options.notFound === undefined ? [] : [describeNotFound(options.notFound)]),
    ...(options.errors ?? []).map(describeError),
  ];
}

function describePlatforms(platforms: readonly string[]): string {
  const origins = platforms.map(
    (platform) => `\`${platform}\`: ${isPlatform(platform) ? PLATFORM_ORIGINS[platform] : 'the `id` of a game'}`,
  );
  return `The platform that the IDs belong to (${origins.join('; ')})`;
}

function describeOperation(options: EndpointOptions): string {
  const { description, notFound: codes } = options;
  return [
    description,
    `**Cost:** ${describeCost(options)}.`,
    ...(codes === undefined ? [] : [`**404:** ${describeCodes(codes)}.`]),
  ].join('\n\n');
}

function describeCost({ operation, takesBody, paging, notFound: codes }: EndpointOptions): string {
  const { units, credits, records } = PRICES[operation];
  if (records !== undefined) {
    const lookUps = records.map((name) => `\`${name}\``).join(', ');
    return `for each record returned what its look-up costs (${lookUps}), and at least ${counted(units.amount, 'quota unit')}; deletions are free`;
  }
  if (units.amount === 0 && credits.amount === 0) return 'nothing; it counts as a request of the minute';
  const isBatch = takesBody && paging === undefined;
  const asked = isBatch ? 'distinct item of the batch' : 'item of `limit`, however many are returned';
  const quota = `${counted(units.amount, 'quota unit')}${units.per === 'item' ? ` for each ${asked}` : ''}`;
  if (credits.amount === 0) return `${quota}, no credits${codes === undefined ? '' : '; the same with a 404'}`;
  const when = credits.per === 'item' ? 'for each item returned' : 'if any data is returned';
  return `${quota}; ${counted(credits.amount, 'credit')} ${when}`;
}

const counted = (amount: number, thing: string): string => `${amount} ${thing}${amount === 1 ? '' : 's'}`;

const describeCodes = (codes: NotFoundCodes): string =>
  codes.map((code) => `\`${ERROR_CODES[code].message}\`: ${ERROR_CODES[code].meaning}`).join('; ');

function describeSuccess({ payload, paging, meta, included, takesBody }: EndpointOptions): MethodDecorator {
  const item = { $ref: `#/components/schemas/${'one' in payload ? payload.one : payload.many}` };
  const schema: Schema = {
    type: 'object',
    required: ['payload', ...(paging === undefined ? [] : ['paging']), 'meta'],
    properties: {
      payload: 'one' in payload ? item : { type: 'array', items: item, description: 'The records, in order' },
      ...(paging === undefined ? {} : { paging: createPagingSchema(paging) }),
      meta: createMetaSchema(meta, included),
    },
  };
  return describeResponse(200, 'The data that was asked for', {
    schema,
    headers: successHeaders(paging !== undefined, takesBody),
  });
}

const successHeaders = (isPaged: boolean, takesBody: boolean | undefined) => ({
  ...(takesBody ? RECEIPT_HEADERS : DATA_HEADERS),
  // The link of a body would lack its members.
  ...(isPaged && !takesBody ? headerReferences('Link') : {}),
});

function describeNotFound(codes: NotFoundCodes): MethodDecorator {
  return describeResponse(
    404,
    `${describeCodes(codes)}. The request was valid: it costs its quota units, but no credits`,
    {
      schema: { $ref: '#/components/schemas/Error' },
      headers: RECEIPT_HEADERS,
      example: createErrorExample(notFound(codes[0])),
    },
  );
}

function describeError(code: FixedCode): MethodDecorator {
  const { status, meaning } = ERROR_CODES[code];
  return describeResponse(status, `${meaning}. It costs nothing`, {
    schema: { $ref: '#/components/schemas/Error' },
    headers: RECEIPT_HEADERS,
    example: createErrorExample(fixedError(code)),
  });
}

function describeResponse(status: number, description: string, rest: object): MethodDecorator {
  // Cast, because the package's types describe OpenAPI 3.0.
  return ApiResponse({ status, description, ...rest } as ApiResponseOptions);
}
