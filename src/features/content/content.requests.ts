import { DatedListRequest, ListOfFiftyRequest } from '../../http/validation/list.requests.js';
import { Batch, Limit, OneOf } from '../../http/validation/parameters.js';
import { CONTENT_FILTERS, type ContentFilter } from './content-kind.js';

const SortParam = () => OneOf('sort', ['created_at'], 'created_at', 'What the list is sorted by, and the dates bound');
const ContentTypeParam = () =>
  OneOf('content_type', CONTENT_FILTERS, 'all', 'Only items of this kind; `video` has the type `long`, too');

export class ContentListRequest extends ListOfFiftyRequest {
  @SortParam()
  sort = 'created_at';

  @ContentTypeParam()
  content_type: ContentFilter = 'all';
}

export class GameContentRequest extends DatedListRequest {
  @Limit(100, 20)
  limit: number = 20;

  @SortParam()
  sort = 'created_at';

  @ContentTypeParam()
  content_type: ContentFilter = 'all';
}

export class ContentBatchRequest {
  @Batch('content_ids', 'IDs of items on the platform')
  content_ids: string[];
}
