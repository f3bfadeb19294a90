import { describe, expect, it } from '@jest/globals';
import { ListOfFiftyRequest } from './list.requests.js';
import { CalendarDate } from './parameters.js';
import { RequestPipe } from './request.pipe.js';

class ReportRequest {
  @CalendarDate('start_date', 'From this day on')
  start_date?: string;
}

describe('the parameters of a list', () => {
  const pipe = new RequestPipe();
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
});
