import { CalendarDate, Cursor, Limit, InOrder, OneOf } from './parameters.js';
import type { Order } from '../../database/keyset.js';

/** Parameters of every list. Subclasses add `sort` and `limit`. */
export class DatedListRequest {
  @OneOf(['asc', 'desc'], 'desc', 'Direction of the sort; unknown values are lowest')
  order: Order = 'desc';

  @Cursor()
  cursor?: string;

  @CalendarDate('From this UTC day on')
  start_date?: string;

  @CalendarDate('Until this UTC day, inclusive')
  @InOrder('start_date', 'later')
  end_date?: string;
}

export class ListOfFiftyRequest extends DatedListRequest {
  @Limit(50, 10)
  limit: number = 10;
}
