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

  it('are a request of their own each time: what becomes of one touches no other', () => {
    const first = query({ limit: '8' });
    Object.assign(first as object, { limit: 50 });
    expect(query({ limit: '8' })).toMatchObject({ limit: 8 });
    expect(query({ limit: '8' })).toBeInstanceOf(ListOfFiftyRequest);
  });

  it('are wrong each time, before and after right ones', () => {
    for (let round = 0; round < 3; round += 1) {
      expect(() => query({ limit: '51' })).toThrow('limit must be an integer between 1 and 50');
      expect(() => query({ limit: '9', cursr: 'x' })).toThrow('Unknown parameter: cursr');
      expect(() => query({ cursor: ['a', 'b'] })).toThrow('Invalid cursor');
      expect(query({ limit: '9' })).toMatchObject({ limit: 9 });
    }
  });

  it('do not mix with those of another list, nor with its lack of a cursor', () => {
    const dates = { start_date: '2026-01-01' };
    expect(query(dates)).toBeInstanceOf(ListOfFiftyRequest);
    expect(query(dates, ReportRequest)).toBeInstanceOf(ReportRequest);
    expect(() => query({ ...dates, cursor: 'x' }, ReportRequest)).toThrow('Unknown parameter: cursor');
  });

  it('stay right when more kinds of them come than are remembered', () => {
    const days = Array.from({ length: 2500 }, (_, day) => new Date(day * 86_400_000).toISOString().slice(0, 10));
    for (const round of [1, 2]) {
      for (const start_date of days) {
        expect(query({ start_date, limit: String(round) })).toMatchObject({ start_date, limit: round });
      }
    }
  });
});
