import { declareList } from '../../http/paging/list-declaration.js';
import { CONTENT_FILTERS, filterKindCode } from './content-kind.js';
import { ContentEntity, GameContentEntity } from './content.entity.js';

/** Declarations shared by the three lists of content. */
const SHARED = {
  id: 'content_id',
  sorts: { created_at: 'date' },
  filters: {
    content_type: {
      description: 'Only items of this kind; `video` includes the type `long`',
      column: 'kind',
      member: 'type',
      values: CONTENT_FILTERS,
      byDefault: 'all',
      stored: filterKindCode,
    },
  },
  combinations: [['content_type']],
} as const;

/** List of the content of a platform. */
export const CONTENT_LIST = declareList({
  name: 'content',
  entity: ContentEntity,
  scope: ['platform'],
  ...SHARED,
});

/** List of the content of a creator. */
export const PROFILE_CONTENT_LIST = declareList({
  name: 'profile_content',
  entity: ContentEntity,
  scope: ['platform', 'profile_id'],
  ...SHARED,
});

/** List of the content of a game. */
export const GAME_CONTENT_LIST = declareList({
  name: 'game_content',
  entity: GameContentEntity,
  scope: ['platform', 'game_id'],
  ...SHARED,
});
