import { describe, expect, it } from '@jest/globals';
import { IsIn } from 'class-validator';
import { ListOfFiftyRequest } from './list.requests.js';
import { Batch, CalendarDate } from './parameters.js';
import type { ApiRequest } from '../api-request.js';
import { readOptionalQuery, rejectRepeatedParameters, RequestPipe, type Rejection } from './request.pipe.js';

class ReportRequest {
  @CalendarDate('From this day on')
  start_date?: string;
}

class BatchRequest {
  @Batch('IDs of things')
  ids: string[];
}

class PlatformRequest {
  @IsIn(['a', 'b'], { context: { code: 'invalid_platform', allowed: ['a', 'b'] } satisfies Rejection })
  where: string;
}

const pipe = new RequestPipe();

describe('the parameters of a list', () => {
  const query = (given: Record<string, unknown>, metatype: new () => object = ListOfFiftyRequest) =>
    pipe.transform(given, { type: 'query', metatype });

  it('become the same request whenever they come, each with its own cursor', () => {
    for (const cursor of ['first', 'second', undefined, '']) {
      expect(query({ limit: '7', ...(cursor !== undefined && { cursor }) })).toEqual(
        Object.assign(new ListOfFiftyRequest(), { limit: 7, cursor }),
      );
    }
  });

  it('are refused with the first thing that is wrong', () => {
    expect(() => query({ limit: '51' })).toThrow('limit must be an integer between 1 and 50');
    expect(() => query({ limit: '9', cursr: 'x' })).toThrow('Unknown parameter: cursr');
    expect(() => query({ cursor: ['a', 'b'] })).toThrow('Invalid cursor');
  });

  it('do not mix with those of another list, nor with its lack of a cursor', () => {
    const dates = { start_date: '2026-01-01' };
    expect(query(dates)).toBeInstanceOf(ListOfFiftyRequest);
    expect(query(dates, ReportRequest)).toBeInstanceOf(ReportRequest);
    expect(() => query({ ...dates, cursor: 'x' }, ReportRequest)).toThrow('Unknown parameter: cursor');
  });

  it('have their default where they are given as undefined', () => {
    expect(query({ limit: undefined, order: undefined })).toEqual(new ListOfFiftyRequest());
  });

  it('are left out where they are null, and only where they may be', () => {
    expect(query({ cursor: null })).toMatchObject({ cursor: null });
    expect(() => query({ limit: null })).toThrow('limit must be an integer');
  });
});

describe('the query of a look-up', () => {
  const read = (originalUrl: string, query: Record<string, unknown>) =>
    readOptionalQuery(ReportRequest, { originalUrl, query } as ApiRequest);

  it('is validated if there is one, and null if there is none', () => {
    expect(read('/a?start_date=2026-01-31', { start_date: '2026-01-31' })).toEqual(
      Object.assign(new ReportRequest(), { start_date: '2026-01-31' }),
    );
    expect(read('/a', {})).toBeNull();
    expect(() => read('/a?x=1', { x: '1' })).toThrow('Unknown parameter: x');
  });
});

describe('a body', () => {
  const body = (given: unknown) => pipe.transform(given, { type: 'body', metatype: BatchRequest });
  const MISSING = 'Invalid platform or missing required parameter';

  it('becomes the request', () => {
    expect(body({ ids: ['a'] })).toEqual(Object.assign(new BatchRequest(), { ids: ['a'] }));
  });

  it('is validated without copying its lists, however long they are', () => {
    const ids = ['a'];
    expect((body({ ids }) as BatchRequest).ids).toBe(ids);
    const copied: unknown[] = [];
    const unread = new Proxy([], {
      get: (list, name) => (name === 'length' ? 85_000 : (copied.push(name), Reflect.get(list, name))),
    });
    expect(() => body({ ids: unread })).toThrow('ids');
    expect(copied.filter((name) => /^\d+$/.test(String(name)))).toEqual([]);
  });

  it.each([undefined, null, 'text', 7, [], ['text']])('that is no object has no parameters: %j', (given) => {
    expect(() => body(given)).toThrow(MISSING);
  });
});

describe('an error', () => {
  /** Members of the error, beside those of every error. */
  function membersOf(metatype: new () => object, given: unknown): unknown {
    try {
      return pipe.transform(given, { type: 'query', metatype });
    } catch (error) {
      const { code, parameter, allowed, hint } = error as Record<string, unknown>;
      return { code, parameter, allowed, hint };
    }
  }

  it('names the parameter, and lists the accepted values where they are few', () => {
    expect(membersOf(ListOfFiftyRequest, { limit: '51' })).toEqual({ code: 'invalid_parameter', parameter: 'limit' });
    expect(membersOf(ListOfFiftyRequest, { order: 'up' })).toEqual({
      code: 'invalid_parameter',
      parameter: 'order',
      allowed: ['asc', 'desc'],
    });
    expect(membersOf(BatchRequest, {})).toEqual({
      code: 'missing_parameter',
      parameter: 'ids',
      hint: 'Add the parameter ids.',
    });
    expect(membersOf(PlatformRequest, { where: 'c' })).toEqual({
      code: 'invalid_platform',
      parameter: 'where',
      allowed: ['a', 'b'],
      hint: 'Use one of the platforms in allowed.',
    });
  });

  it('of two parameters names neither', () => {
    const dates = { start_date: '2026-01-02', end_date: '2026-01-01' };
    expect(membersOf(ListOfFiftyRequest, dates)).toEqual({ code: 'conflicting_parameters' });
  });

  it('of an unknown name lists the known ones', () => {
    expect(membersOf(ReportRequest, { x: '1' })).toEqual({
      code: 'unknown_parameter',
      parameter: 'x',
      allowed: ['start_date'],
    });
  });

  it.each(['page', 'PAGE', 'offset', 'skip', 'start'])(
    'of `%s` points to the cursor of a list that has one',
    (name) => {
      expect(membersOf(ListOfFiftyRequest, { [name]: '2' })).toMatchObject({
        hint: 'Pages are not numbered: pass paging.next_cursor of the page before as cursor.',
      });
      expect(membersOf(ReportRequest, { [name]: '2' })).toMatchObject({ hint: undefined });
    },
  );

  it.each(['homepage', 'page_size'])('of `%s`, which is no position, does not', (name) => {
    expect(membersOf(ListOfFiftyRequest, { [name]: '2' })).toMatchObject({ hint: undefined });
  });
});

describe('a value without a request class', () => {
  it('passes as it is', () => {
    for (const value of ['live_platform', undefined, { any: 'thing' }]) {
      expect(pipe.transform(value, { type: 'param' })).toBe(value);
    }
  });
});

describe('the name of a parameter', () => {
  const name = `${'x'.repeat(100)}yz`;

  it('is shortened to 100 characters where it is unknown', () => {
    expect(() => pipe.transform({ [name]: '1' }, { type: 'query', metatype: ReportRequest })).toThrow(
      /^Unknown parameter: x{100}$/,
    );
  });

  it('may stand in a query once', () => {
    expect(() => rejectRepeatedParameters({ limit: '1', cursor: '' })).not.toThrow();
    expect(() => rejectRepeatedParameters({ limit: '1', cursor: ['x', 'y'] })).toThrow(
      'Parameter given more than once: cursor',
    );
    expect(() => rejectRepeatedParameters({ limit: ['x', 'y'] })).toThrow(
      expect.objectContaining({ code: 'repeated_parameter', parameter: 'limit' }),
    );
    expect(() => rejectRepeatedParameters({ [name]: ['x', 'y'] })).toThrow(/^Parameter given more than once: x{100}$/);
  });
});
