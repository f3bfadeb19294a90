import { Body, Controller, Get, Query } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { Test } from '@nestjs/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Batch, CalendarDate, Cursor, Include, Limit, InOrder, OneOf, Text } from './parameters.js';
import { RequestPipe } from './request.pipe.js';

class ListRequest {
  @Limit(50, 10)
  limit: number = 10;

  @Cursor()
  cursor?: string;

  @Text(5)
  query?: string;

  @OneOf(['asc', 'desc'], 'desc', 'Direction')
  order = 'desc';

  @OneOf(['video', 'post'], 'video', 'Kind')
  kind?: string;

  @Include(['creators'], 'More')
  include?: 'creators';

  @CalendarDate('From this day on')
  start_date?: string;

  @CalendarDate('Until this day')
  @InOrder('start_date', 'later')
  end_date?: string;
}

class BatchRequest {
  @Batch('IDs of things')
  ids: string[];
}

const pipe = new RequestPipe();
const list = (given: Record<string, unknown>) =>
  pipe.transform(given, { type: 'query', metatype: ListRequest }) as ListRequest;
const batch = (given: Record<string, unknown>) =>
  pipe.transform(given, { type: 'body', metatype: BatchRequest }) as BatchRequest;

describe('a limit', () => {
  it.each(['1', '50', '07'])('is the integer %j', (limit) => expect(list({ limit }).limit).toBe(Number(limit)));

  it('has a default', () => expect(list({}).limit).toBe(10));

  it.each(['0', '51', '-1', '+1', '1.0', '1e1', '0x1', ' 1', '1 ', '', 'x', '5x', 'x5', '0000000001', ['1'], [1]])(
    'is never clamped: %j is refused',
    (limit) => expect(() => list({ limit })).toThrow('limit must be an integer between 1 and 50'),
  );
});

describe('a cursor', () => {
  it('may be left out, and is any one text', () => {
    expect(list({}).cursor).toBeUndefined();
    expect(list({ cursor: 'x' }).cursor).toBe('x');
    expect(() => list({ cursor: ['x'] })).toThrow('Invalid cursor');
  });
});

describe('a text', () => {
  it.each(['a', 'abcde', '😀😀😀😀😀'])('may have the length of %j, in characters', (query) => {
    expect(list({ query }).query).toBe(query);
  });

  it.each(['', 'abcdef', ['a']])('is not %j', (query) => {
    expect(() => list({ query })).toThrow('query must have between 1 and 5 characters');
  });

  it('may be left out', () => expect(list({}).query).toBeUndefined());
});

describe('one of a few words', () => {
  it('is one of them, its default, or left out', () => {
    expect(list({ order: 'asc', kind: 'post' })).toMatchObject({ order: 'asc', kind: 'post' });
    expect(list({})).toMatchObject({ order: 'desc' });
    expect(list({}).kind).toBeUndefined();
  });

  it('is no other, and the answer lists them', () => {
    expect(() => list({ order: 'ASC' })).toThrow('order must be one of asc, desc');
    expect(() => list({ kind: '' })).toThrow('kind must be one of video, post');
  });
});

describe('an include', () => {
  it('is one of its values, or left out', () => {
    expect([list({ include: 'creators' }).include, list({}).include]).toEqual(['creators', undefined]);
    expect(() => list({ include: 'available' })).toThrow('include must be one of creators');
  });
});

describe('a calendar date', () => {
  it('is a day that exists', () => {
    expect(list({ start_date: '2028-02-29' }).start_date).toBe('2028-02-29');
    for (const start_date of ['2027-02-29', 'today', '', ['2027-01-01'], 20270101]) {
      expect(() => list({ start_date })).toThrow('start_date must be a calendar date, YYYY-MM-DD');
    }
  });

  it('may be the first day of a span or after it, not before', () => {
    expect(list({ start_date: '2027-01-01', end_date: '2027-01-01' }).end_date).toBe('2027-01-01');
    expect(list({ start_date: '2027-01-01', end_date: '2027-01-02' }).end_date).toBe('2027-01-02');
    expect(() => list({ start_date: '2027-01-02', end_date: '2027-01-01' })).toThrow(
      'start_date must not be later than end_date',
    );
  });

  it('may bound one side alone', () => {
    expect(list({ start_date: '2027-01-02' }).end_date).toBeUndefined();
    expect(list({ end_date: '2027-01-02' }).start_date).toBeUndefined();
  });

  it('is named itself where it is wrong, not the order of the two', () => {
    expect(() => list({ start_date: 'x', end_date: '2027-01-01' })).toThrow('start_date must be a calendar date');
    expect(() => list({ start_date: '2027-01-01', end_date: ['2026-01-01'] })).toThrow(
      'end_date must be a calendar date',
    );
  });
});

describe('a batch', () => {
  const ids = (length: number) => Array.from({ length }, (_, index) => `id${index}`);

  it.each([1, 100])('may hold %d items', (length) => {
    expect(batch({ ids: ids(length) }).ids).toEqual(ids(length));
  });

  it.each([0, 101])('may not hold %d items', (length) => {
    expect(() => batch({ ids: ids(length) })).toThrow('ids must contain between 1 and 100 items');
  });

  it('must be there', () => {
    expect(() => batch({})).toThrow('Invalid platform or missing required parameter');
  });

  it.each([null, 'id', 1, {}, { length: 1 }])('is an array, not %j', (given) => {
    expect(() => batch({ ids: given })).toThrow('ids must be an array of strings');
  });

  it.each([[['id', '']], [['id', 1]], [[null]], [[['id']]]])('holds only texts: not %j', (given) => {
    expect(() => batch({ ids: given })).toThrow('ids must contain only non-empty strings');
  });

  it('is refused for the first thing that is wrong: its size before its items', () => {
    expect(() => batch({ ids: Array(101).fill(1) })).toThrow('ids must contain between 1 and 100 items');
  });
});

@Controller()
class Endpoints {
  @Get('list')
  list(@Query() query: ListRequest) {
    return query;
  }

  @Get('batch')
  batch(@Body() body: BatchRequest) {
    return body;
  }
}

describe('what OpenAPI says of a parameter', () => {
  let document: OpenAPIObject;

  beforeAll(async () => {
    const app = (await Test.createTestingModule({ controllers: [Endpoints] }).compile()).createNestApplication();
    document = SwaggerModule.createDocument(app, new DocumentBuilder().build());
  });

  it('is its bounds, default and words; none is required', () => {
    const date = { type: 'string', format: 'date', pattern: '^\\d{4}-\\d{2}-\\d{2}$' };
    const said: readonly [name: string, schema: object, description?: string][] = [
      ['limit', { type: 'integer', minimum: 1, maximum: 50, default: 10 }, 'Items of a page'],
      ['cursor', { type: 'string' }, '`paging.next_cursor` of the page before, unchanged'],
      ['order', { type: 'string', enum: ['asc', 'desc'], default: 'desc' }, 'Direction'],
      ['kind', { type: 'string', enum: ['video', 'post'], default: 'video' }, 'Kind'],
      ['include', { type: 'string', enum: ['creators'] }, 'More'],
      ['start_date', date, 'From this day on'],
      ['end_date', date, 'Until this day'],
    ];
    expect(document.paths['/list']?.get?.parameters).toEqual(
      said.map(([name, schema, description]) => ({ name, in: 'query', required: false, schema, description })),
    );
  });

  it('is the items of a batch, which is required', () => {
    expect(document.components?.schemas?.BatchRequest).toEqual({
      type: 'object',
      properties: {
        ids: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 100, description: 'IDs of things' },
      },
      required: ['ids'],
    });
  });
});
