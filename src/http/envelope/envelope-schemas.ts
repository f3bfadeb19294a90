import type { ApiError } from '../errors/api-error.js';
import { createErrorBody } from '../errors/error-body.js';
import { ERRORS_PATH, listErrorCodes } from '../errors/error-codes.js';
import { PLATFORMS } from '../../model/platforms.js';
import type { MetaMember } from './endpoint-rules.js';

/** JSON Schema, as in OpenAPI 3.1; the type of `@nestjs/swagger` describes 3.0. */
export type Schema = Readonly<Record<string, unknown>>;

const text = (description: string, more: Schema = {}) => ({ type: 'string', ...more, description });
const integer = (description: string) => ({ type: 'integer', description });
const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description });

const allowance = (what: string): Schema => ({
  type: ['object', 'null'],
  required: ['limit', 'used'],
  properties: { limit: integer(`${what} a month`), used: integer(`${what} used in this month`) },
  description: `${what} of the month; null if they are not limited`,
});

const platform = 'Requested platform';

const META: Readonly<Record<MetaMember, Schema>> = {
  source: text('Where the data comes from', { enum: ['database'] }),
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

export function createMetaSchema(names: readonly MetaMember[]): Schema {
  const properties = Object.fromEntries(
    names.map((name) => [name === 'optional_platform' ? 'platform' : name, META[name]]),
  );
  return { type: 'object', required: Object.keys(properties), properties, description: 'About the request' };
}

export function createPagingSchema(hasMore: boolean): Schema {
  const properties = {
    limit: integer('Maximum number of items per page'),
    next_cursor: {
      type: ['string', 'null'],
      description: 'The parameter `cursor` of the next page; null on the last one',
    },
    ...(hasMore ? { has_more: { type: 'boolean', description: 'Whether there is a next page' } } : {}),
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
