import { Controller, Get, Query } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from '@jest/globals';
import { BigintColumn, BytewiseColumn } from '../../database/columns.js';
import { declareList } from '../paging/list-declaration.js';
import { FilterParameter, SortParameter } from './list-parameters.js';
import { RequestPipe } from './request.pipe.js';

class ThingEntity {
  @BigintColumn() size: number;
  @BigintColumn() made_at: number;
  @BytewiseColumn(4) colour: string;
  @BytewiseColumn(10) kind: string;
}

const THINGS = declareList({
  name: 'things',
  entity: ThingEntity,
  scope: [],
  id: 'kind',
  sorts: { size: 'number', made_at: 'date' },
  filters: {
    colour: { description: 'Of this colour' },
    shape: { description: 'Of this shape', column: 'kind', values: ['round', 'flat'] },
  },
  ranges: { min_size: { description: 'At least so large' }, max_size: { description: 'At most so large' } },
  combinations: [['colour', 'shape']],
});

class ThingsRequest {
  @SortParameter(THINGS)
  sort = 'size';

  @FilterParameter(THINGS)
  colour?: string;

  @FilterParameter(THINGS)
  shape?: string;

  @FilterParameter(THINGS)
  min_size?: number;

  @FilterParameter(THINGS)
  max_size?: number;
}

const pipe = new RequestPipe();
const read = (given: Record<string, unknown>) =>
  pipe.transform(given, { type: 'query', metatype: ThingsRequest }) as ThingsRequest;

it('every parameter of a list may be left out', () => {
  expect(read({})).toEqual({ sort: 'size' });
});

describe('the sort of a list', () => {
  it.each(['size', 'made_at'])('is one of those declared: %s', (sort) => expect(read({ sort }).sort).toBe(sort));

  it('is nothing else', () => {
    expect(() => read({ sort: 'colour' })).toThrow('sort must be one of size, made_at');
  });
});

describe('a filter by a text', () => {
  it.each(['r', 'four', ' x ', 'é é'.slice(0, 2), '☃'])('has at most the bytes of its column: %j', (colour) => {
    expect(read({ colour }).colour).toBe(colour);
  });

  it.each(['', 'fives', 'ééé', '☃☃', ['red'], [], {}])('is refused otherwise: %j', (colour) => {
    expect(() => read({ colour })).toThrow('colour must have between 1 and 4 bytes in UTF-8');
  });
});

describe('a filter by a word', () => {
  it('is one of those declared', () => {
    expect(read({ shape: 'flat' }).shape).toBe('flat');
    expect(() => read({ shape: 'square' })).toThrow('shape must be one of round, flat');
  });
});

describe('a filter by a range', () => {
  it.each(['0', '-1', '007', '9007199254740991', '-9007199254740991'])('is an integer: %j', (min_size) => {
    expect(read({ min_size }).min_size).toBe(Number(min_size));
  });

  it.each(['', ' 1', '1.0', '1e3', '+1', '0x1', 'x', '9007199254740992', '12345678901234567', ['1']])(
    'is refused otherwise: %j',
    (max_size) => {
      expect(() => read({ max_size })).toThrow('max_size must be an integer from -(2^53 - 1) to 2^53 - 1');
    },
  );

  it('has its ends in order', () => {
    expect(read({ min_size: '2', max_size: '2' })).toMatchObject({ min_size: 2, max_size: 2 });
    expect(read({ min_size: '-10', max_size: '9' })).toMatchObject({ min_size: -10, max_size: 9 });
    expect(() => read({ min_size: '10', max_size: '9' })).toThrow('min_size must not be more than max_size');
  });
});

@Controller()
class Endpoints {
  @Get('things')
  list(@Query() query: ThingsRequest) {
    return query;
  }
}

it('OpenAPI says what was declared', async () => {
  const app = (await Test.createTestingModule({ controllers: [Endpoints] }).compile()).createNestApplication();
  const document = SwaggerModule.createDocument(app, new DocumentBuilder().build());
  const integer = { type: 'integer', format: 'int64' };
  const said: readonly [name: string, schema: object, description: string][] = [
    [
      'sort',
      { type: 'string', enum: ['size', 'made_at'], default: 'size' },
      'What the list is sorted by, and the dates bound',
    ],
    ['colour', { type: 'string', minLength: 1, maxLength: 4 }, 'Of this colour'],
    ['shape', { type: 'string', enum: ['round', 'flat'] }, 'Of this shape'],
    ['min_size', integer, 'At least so large. Needs `sort=size`'],
    ['max_size', integer, 'At most so large. Needs `sort=size`'],
  ];
  expect(document.paths['/things']?.get?.parameters).toEqual(
    said.map(([name, schema, description]) => ({ name, in: 'query', required: false, schema, description })),
  );
});
