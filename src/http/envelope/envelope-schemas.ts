import type { ApiError } from '../errors/api-error.js';
import { createErrorBody } from '../errors/error-body.js';
import { ERRORS_PATH, listErrorCodes } from '../errors/error-codes.js';
import { PLATFORMS } from '../../model/platforms.js';
import { metaName, type MetaMember, type PagingKind } from './endpoint-rules.js';

/** JSON Schema, as in OpenAPI 3.1; the type of `@nestjs/swagger` describes 3.0. */
export type Schema = Readonly<Record<string, unknown>>;

const text = (description: string, more: Schema = {}) => ({ type: 'string', ...more, description });
const integer = (description: string) => ({ type: 'integer', description });
const flag = (description: string) => ({ type: 'boolean', description });
const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description });

const allowance = (what: string): Schema => ({
  type: ['object', 'null'],
  required: ['limit', 'used'],
  properties: { limit: integer(`${what} a month`), used: integer(`${what} used in this month`) },
  description: `${what} of the month; null if they are not limited`,
});

const platform = 'Requested platform';

/** Members by whose values the results of a search can be counted. */
const FACETS = ['language', 'account_type', 'topics', 'countries'];

const facetValues: Schema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['value', 'count'],
    properties: { value: text('Value, in its most frequent spelling'), count: integer('Creators with it') },
  },
  description: 'At most 20 values, the most frequent one first',
};

const META: Readonly<Record<MetaMember, Schema>> = {
  source: text('Where the data comes from', { enum: ['database'] }),
  record_source: text('Where the record comes from: it was imported, or made by a model', {
    enum: ['database', 'model'],
  }),
  received_at: text('When the service received the request', { format: 'date-time' }),
  request_id: text('ID of the request, as in the header `X-Request-Id`', { format: 'uuid' }),
  platform: text(platform, { enum: PLATFORMS }),
  optional_platform: {
    type: ['string', 'null'],
    enum: [...PLATFORMS, null],
    description: `${platform}; null for all of them`,
  },
  profile_id: text('Requested creator ID'),
  missing_ids: texts('Unknown IDs, in the order of the request'),
  missing_handles: texts('Unknown handles, in the order of the request, without a leading `@`'),
  query: text('Search text'),
  limit: integer('Maximum number of games'),
  game: {
    type: ['object', 'null'],
    required: ['id', 'name', 'slug'],
    properties: {
      id: text('ID in the game database'),
      name: text('Official name'),
      slug: { type: ['string', 'null'], description: 'URL-friendly name' },
    },
    description: 'The game; null where only its content is known',
  },
  last_updated_at: {
    type: ['string', 'null'],
    format: 'date-time',
    description: 'When the analysis was made',
  },
  available: {
    type: 'object',
    required: ['analysis', 'audience', 'socials', 'email'],
    properties: {
      analysis: flag('Whether there is an analysis of the creator'),
      audience: flag('Whether there is an analysis of the audience'),
      socials: flag('Whether there are links to other platforms'),
      email: flag('Whether there is an e-mail address; false if it is hidden from the key'),
    },
    description: 'Which documents about the creator exist; only with `include=available`',
  },
  first_observed_at: {
    type: ['string', 'null'],
    format: 'date',
    description: 'First observed UTC day of all that is stored; null where nothing is',
  },
  creators: {
    type: 'array',
    items: {
      type: 'object',
      required: ['id', 'name', 'display_name'],
      properties: {
        id: text('ID of the creator, `profile_id` of the items'),
        name: { type: ['string', 'null'], description: 'Handle' },
        display_name: { type: ['string', 'null'], description: 'Displayed name' },
      },
    },
    description: 'The known creators of the page, in the order of their first items; only with `include=creators`',
  },
  count: {
    type: 'object',
    required: ['value', 'relation'],
    properties: {
      value: integer('Number of creators'),
      relation: text('`eq`: exactly so many; `gte`: at least so many, only above 10,000', { enum: ['eq', 'gte'] }),
    },
    description: 'How many creators there are in all; only with `count`',
  },
  facets: {
    type: 'object',
    properties: Object.fromEntries(FACETS.map((name) => [name, facetValues])),
    description: 'Most frequent values among all creators found, by facet; only with `facets`',
  },
  totals: {
    type: 'object',
    required: ['requests', 'quota_units', 'credits'],
    properties: {
      requests: integer('Requests of all days and operations'),
      quota_units: integer('Quota units of all days and operations'),
      credits: integer('Marketplace credits of all days and operations'),
    },
    description: 'Sums of the payload',
  },
  allowance: {
    type: ['object', 'null'],
    required: ['quota_units', 'credits', 'resets_at'],
    properties: {
      quota_units: allowance('Quota units'),
      credits: allowance('Marketplace credits'),
      resets_at: text('When the next UTC month begins', { format: 'date-time' }),
    },
    description: 'Monthly allowance of the key, and what it has used of it; null without one',
  },
};

/** @param included members that only some requests add */
export function createMetaSchema(names: readonly MetaMember[], included: readonly MetaMember[] = []): Schema {
  const properties = Object.fromEntries([...names, ...included].map((name) => [metaName(name), META[name]]));
  return { type: 'object', required: names.map(metaName), properties, description: 'About the request' };
}

export function createPagingSchema(kind: PagingKind): Schema {
  const hasMore = kind !== 'cursor';
  const properties = {
    limit: integer('Maximum number of items per page'),
    next_cursor:
      kind === 'feed'
        ? text('The parameter `cursor` of the next page; keep it to go on from here later')
        : {
            type: ['string', 'null'],
            description: 'The parameter `cursor` of the next page; null on the last one',
          },
    ...(hasMore
      ? { has_more: flag(kind === 'feed' ? 'Whether more changes are waiting' : 'Whether there is a next page') }
      : {}),
  };
  return {
    type: 'object',
    required: Object.keys(properties),
    properties,
    description: 'Where the page is in the list',
  };
}

export const ERROR_SCHEMA: Schema = {
  type: 'object',
  required: ['error', 'meta'],
  properties: {
    error: {
      type: 'object',
      required: ['status', 'message', 'code', 'documentation_url'],
      properties: {
        status: integer('The HTTP status'),
        message: text('What is wrong, for a person to read'),
        code: text('What is wrong, for a program: it never changes its meaning. Later versions may add codes', {
          enum: listErrorCodes(false),
        }),
        parameter: text('Name of the one parameter or body member that is wrong'),
        allowed: texts('Accepted values or names, if they are few'),
        hint: text('What to do'),
        documentation_url: text(`Explanation of the code, relative to the service: \`${ERRORS_PATH}#CODE\``, {
          format: 'uri-reference',
        }),
      },
      description: 'What is wrong',
    },
    meta: createMetaSchema(['request_id']),
  },
  description: 'An answer other than success',
};

export const EXAMPLE_REQUEST_ID = '6f1c8a52-9d0b-4e3a-8f27-1b5c7d9e2a40';

export const createErrorExample = (error: ApiError): object => createErrorBody(error, EXAMPLE_REQUEST_ID);
