import { ApiOperation, ApiParam, ApiResponse, ApiSecurity, type ApiResponseOptions } from '@nestjs/swagger';
import { PRICES } from '../../receipts/prices.js';
import { notFound } from '../api-error.js';
import type { EndpointOptions } from './endpoint-rules.js';
import { DATA_HEADERS, headerReferences, RECEIPT_HEADERS } from './header-documentation.js';
import { errorExample, metaSchema, pagingSchema, type Schema } from './envelope-schemas.js';

/** An endpoint's part of the OpenAPI document; the answers that are alike everywhere are added to it as a whole. */
export function endpointDocumentation(options: EndpointOptions): MethodDecorator[] {
  const { operation, summary, platforms, path = {} } = options;
  return [
    ApiSecurity('api-key'),
    ApiOperation({ operationId: operation, summary, description: descriptionOf(options) }),
    ...(platforms === undefined
      ? []
      : [ApiParam({ name: 'platform', schema: { type: 'string', enum: [...platforms] }, description: PLATFORM })]),
    ...Object.entries(path).map(([name, description]) =>
      ApiParam({ name, schema: { type: 'string', minLength: 1 }, description }),
    ),
    success(options),
    ...(options.notFound === undefined ? [] : [missing(options.notFound)]),
  ];
}

const PLATFORM = 'The platform that the IDs belong to';

/** What it is for, what it costs, what its 404s mean. */
function descriptionOf(options: EndpointOptions): string {
  const { description, notFound: messages } = options;
  return [
    description,
    `**Cost:** ${costInWords(options)}.`,
    ...(messages === undefined ? [] : [`**404:** ${meaningOf(messages)}.`]),
  ].join('\n\n');
}

function costInWords({ operation, takesBody, notFound: messages }: EndpointOptions): string {
  const { units, credits } = PRICES[operation];
  if (units.amount === 0 && credits.amount === 0) return 'nothing; it counts as a request of the minute';
  const asked = takesBody ? 'distinct item of the batch' : 'item of `limit`, however many are returned';
  const quota = `${counted(units.amount, 'quota unit')}${units.per === 'item' ? ` for each ${asked}` : ''}`;
  if (credits.amount === 0) return `${quota}, no credits${messages === undefined ? '' : '; the same with a 404'}`;
  const when = credits.per === 'item' ? 'for each item returned' : 'if any data is returned';
  return `${quota}; ${counted(credits.amount, 'credit')} ${when}`;
}

const counted = (amount: number, thing: string): string => `${amount} ${thing}${amount === 1 ? '' : 's'}`;

const meaningOf = (messages: Readonly<Record<string, string>>): string =>
  Object.entries(messages)
    .map(([message, meaning]) => `\`${message}\`: ${meaning}`)
    .join('; ');

function success({ payload, paging, meta, takesBody }: EndpointOptions): MethodDecorator {
  const item = { $ref: `#/components/schemas/${'one' in payload ? payload.one : payload.many}` };
  const schema: Schema = {
    type: 'object',
    required: ['payload', ...(paging === undefined ? [] : ['paging']), 'meta'],
    properties: {
      payload: 'one' in payload ? item : { type: 'array', items: item, description: 'The records, in order' },
      ...(paging === undefined ? {} : { paging: pagingSchema(paging === 'cursor and has_more') }),
      meta: metaSchema(meta),
    },
  };
  return response(200, 'The data that was asked for', { schema, headers: headersOf(paging !== undefined, takesBody) });
}

const headersOf = (isPaged: boolean, takesBody: boolean | undefined) => ({
  ...(takesBody ? RECEIPT_HEADERS : DATA_HEADERS),
  ...(isPaged ? headerReferences('Link') : {}),
});

function missing(messages: Readonly<Record<string, string>>): MethodDecorator {
  const [message = ''] = Object.keys(messages);
  return response(404, `${meaningOf(messages)}. The request was valid: it costs its quota units, but no credits`, {
    schema: { $ref: '#/components/schemas/Error' },
    headers: RECEIPT_HEADERS,
    example: errorExample(notFound(message)),
  });
}

function response(status: number, description: string, rest: object): MethodDecorator {
  // The package's types are those of OpenAPI 3.0.
  return ApiResponse({ status, description, ...rest } as ApiResponseOptions);
}
