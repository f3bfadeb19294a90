import { ApiOperation, ApiParam, ApiResponse, ApiSecurity, type ApiResponseOptions } from '@nestjs/swagger';
import type { EndpointOptions, MetaMember } from './endpoint-rules.js';

type Schema = NonNullable<Extract<ApiResponseOptions, { schema?: unknown }>['schema']>;

/** An endpoint's part of the OpenAPI document. */
export function endpointDocumentation(options: EndpointOptions): MethodDecorator[] {
  const path = Object.entries(options.path ?? {});
  return [
    ApiSecurity('api-key'),
    ApiOperation({ operationId: options.operation, summary: options.summary }),
    ...(options.platforms === undefined ? [] : [ApiParam({ name: 'platform', enum: [...options.platforms] })]),
    ...path.map(([name, description]) => ApiParam({ name, type: String, description })),
    ApiResponse({
      status: 200,
      description: 'Success',
      schema: successSchema(options),
      headers: successHeaders(options),
    }),
    failure(
      400,
      options.takesQuery || options.takesBody
        ? 'A parameter is wrong; the message says which'
        : 'Invalid platform or missing required parameter',
    ),
    failure(401, 'API key is required'),
    failure(403, 'Invalid API key'),
    ...(options.notFound === undefined ? [] : [failure(404, options.notFound.join('; '))]),
    failure(429, 'Rate limit exceeded'),
    failure(503, 'Service unavailable'),
  ];
}

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;

/** The schema of every `meta` member that occurs. */
const META = {
  source: { ...text, enum: ['database'] },
  received_at: { ...text, format: 'date-time' },
  request_id: { ...text, format: 'uuid' },
  platform: { ...text },
  optional_platform: { ...text, nullable: true },
  profile_id: text,
  missing_ids: texts,
  missing_handles: texts,
  query: text,
  limit: { type: 'integer' },
  game: {
    type: 'object',
    nullable: true,
    required: ['id', 'name', 'slug'],
    properties: { id: text, name: text, slug: { ...text, nullable: true } },
  },
  last_updated_at: { ...text, format: 'date-time', nullable: true },
  totals: {
    type: 'object',
    required: ['requests', 'quota_units', 'credits'],
    properties: { requests: { type: 'integer' }, quota_units: { type: 'integer' }, credits: { type: 'integer' } },
  },
} as const satisfies Record<MetaMember, Schema>;

function successSchema({ payload, paging, meta }: EndpointOptions): Schema {
  const item = { $ref: `#/components/schemas/${'one' in payload ? payload.one : payload.many}` };
  const metaSchemas = Object.fromEntries(
    meta.map((name) => [name === 'optional_platform' ? 'platform' : name, META[name]]),
  );
  return {
    type: 'object',
    required: ['payload', ...(paging === undefined ? [] : ['paging']), 'meta'],
    properties: {
      payload: 'one' in payload ? item : { type: 'array', items: item },
      ...(paging === undefined ? {} : { paging: pagingSchema(paging === 'cursor and has_more') }),
      meta: {
        type: 'object',
        required: Object.keys(metaSchemas),
        properties: metaSchemas,
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  };
}

function pagingSchema(hasMore: boolean): Schema {
  const properties = {
    limit: { type: 'integer' },
    next_cursor: { ...text, nullable: true },
    ...(hasMore ? { has_more: { type: 'boolean' } } : {}),
  } as const;
  return { type: 'object', required: Object.keys(properties), properties, additionalProperties: false };
}

const integerHeader = (description: string) => ({ description, schema: { type: 'integer' as const } });

const LIMIT_HEADERS = {
  'X-Request-Id': {
    description: 'ID of the request, as in the usage record',
    schema: { type: 'string' as const, format: 'uuid' },
  },
  'X-RateLimit-minute-limit': integerHeader('Requests a minute of this key'),
  'X-RateLimit-minute-remaining': integerHeader('Requests left in this minute'),
  'X-RateLimit-minute-reset': integerHeader('UNIX seconds at which the minute ends'),
  'X-Quota-Units': integerHeader('Quota units that this request cost'),
  'X-Credits': integerHeader('Marketplace credits that this request cost'),
};

const SUCCESS_HEADERS = {
  ...LIMIT_HEADERS,
  ETag: {
    description: 'Weak tag of everything but `meta`; send it as If-None-Match',
    schema: { type: 'string' as const },
  },
};

/** Only the lists that are read page by page. */
const LINK_HEADER = {
  Link: {
    description: 'Where there is a next page: its address, as `<?QUERY>; rel="next"`',
    schema: { type: 'string' as const },
  },
};

const successHeaders = ({ paging }: EndpointOptions) =>
  paging === undefined ? SUCCESS_HEADERS : { ...SUCCESS_HEADERS, ...LINK_HEADER };

function failure(status: number, description: string): MethodDecorator & ClassDecorator {
  return ApiResponse({ status, description, schema: { $ref: '#/components/schemas/Error' } });
}
