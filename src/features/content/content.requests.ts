import { DatedListRequest, ListOfFiftyRequest } from '../../http/validation/list.requests.js';
import { FilterParameter, SortParameter } from '../../http/validation/list-parameters.js';
import { Batch, Include, Limit } from '../../http/validation/parameters.js';
import type { ContentFilter } from './content-kind.js';
import { CONTENT_LIST, GAME_CONTENT_LIST } from './content.lists.js';

export class ContentListRequest extends ListOfFiftyRequest {
  @SortParameter(CONTENT_LIST)
  sort = 'created_at' as const;

  @FilterParameter(CONTENT_LIST)
  content_type: ContentFilter = 'all';
}

export class GameContentRequest extends DatedListRequest {
  @Limit(100, 20)
  limit: number = 20;

  @SortParameter(GAME_CONTENT_LIST)
  sort = 'created_at' as const;

  @FilterParameter(GAME_CONTENT_LIST)
  content_type: ContentFilter = 'all';

  @Include(['creators'], '`creators` adds `meta.creators`: the names of the creators of the page')
  include?: 'creators';
}

export class ContentBatchRequest {
  @Batch('IDs of items on the platform')
  content_ids: string[];
}
