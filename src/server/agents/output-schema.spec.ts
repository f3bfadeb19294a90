import { beforeEach, describe, expect, it } from '@jest/globals';
import { OutputSchemas } from './output-schema.js';

const COMPONENTS = {
  Item: {
    type: 'object',
    description: 'An item',
    required: ['description'],
    properties: {
      description: { type: 'string', description: 'A text', minLength: 1, maxLength: 2, pattern: 'x', format: 'uri' },
      count: { type: 'integer', minimum: 0, maximum: 9, example: 1, examples: [1] },
      kind: { enum: ['a', 'b'] },
      parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } },
    },
  },
  Part: { type: 'object', properties: { item: { $ref: '#/components/schemas/Item' }, enum: { type: 'null' } } },
  Unused: { type: 'string' },
};

const META = {
  type: 'object',
  description: 'About',
  required: ['at'],
  properties: { at: { type: 'string', format: 'date-time', description: 'When' }, more: { type: 'boolean' } },
};

const answer = (payload: Readonly<Record<string, unknown>>) => ({
  required: ['payload', 'meta'],
  properties: { payload, meta: META },
});

const ITEM = { $ref: '#/components/schemas/Item' };

describe('OutputSchemas', () => {
  let schemas: OutputSchemas;
  beforeEach(() => {
    schemas = new OutputSchemas(COMPONENTS);
  });

  it('requires the members of a success, or an error', () => {
    expect(schemas.create(answer({ type: 'string', description: 'A text' }))).toEqual({
      type: 'object',
      properties: {
        payload: { type: 'string' },
        meta: { type: 'object', properties: { at: { type: 'string' }, more: { type: 'boolean' } } },
        error: {
          type: 'object',
          properties: { code: { type: 'string' }, message: { type: 'string' }, hint: { type: 'string' } },
          required: ['code', 'message'],
        },
      },
      anyOf: [{ required: ['payload', 'meta'], properties: { meta: { required: ['at'] } } }, { required: ['error'] }],
      $defs: {},
    });
  });

  it('defines each component that the payload refers to, without bounds of values', () => {
    const { properties, $defs } = schemas.create(answer({ type: 'array', items: ITEM }));
    expect(properties?.payload).toEqual({ type: 'array', items: { $ref: '#/$defs/Item' } });
    expect($defs).toEqual({
      Item: {
        type: 'object',
        description: 'An item',
        required: ['description'],
        properties: {
          description: { type: 'string', description: 'A text' },
          count: { type: 'integer' },
          kind: { enum: ['a', 'b'] },
          parts: { type: 'array', items: { $ref: '#/$defs/Part' } },
        },
      },
      Part: { type: 'object', properties: { item: { $ref: '#/$defs/Item' }, enum: { type: 'null' } } },
    });
  });

  it('repeats only the structure of a component in later tools', () => {
    schemas.create(answer(ITEM));
    expect(schemas.create(answer(ITEM)).$defs).toEqual({
      Item: {
        type: 'object',
        properties: {
          description: { type: 'string' },
          count: { type: 'integer' },
          kind: {},
          parts: { type: 'array', items: { $ref: '#/$defs/Part' } },
        },
      },
      Part: { type: 'object', properties: { item: { $ref: '#/$defs/Item' }, enum: { type: 'null' } } },
    });
  });

  it('rejects a reference to a missing component', () => {
    expect(() => schemas.create(answer({ $ref: '#/components/schemas/Missing' }))).toThrow(
      'the OpenAPI document has no schema Missing',
    );
  });
});
