import { ApiPropertyOptional } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import type { Order } from '../../database/keyset.js';
import { BodyFlag, BodyLimit, Cursor, OneOf, Text, TextList } from '../../http/validation/parameters.js';
import { SearchFilters } from './search-filters.js';
import { FACETS, type Facet, type SearchSort } from './search-query.js';

const MAX_TEXT_CHARACTERS = 200;
const MAX_EXCLUDED = 1000;
const MAX_FACETS = 3;

export class ProfileSearchRequest {
  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    maxLength: MAX_TEXT_CHARACTERS,
    description: 'Every word must begin a word of the handle, the display name or the description',
  })
  @Text(MAX_TEXT_CHARACTERS)
  text?: string;

  @ApiPropertyOptional({
    type: SearchFilters,
    description: 'Conditions that must all be met, each by one of its values (`has` by all of them)',
  })
  @Allow()
  filters?: SearchFilters;

  @ApiPropertyOptional({ type: SearchFilters, description: 'Leaves out creators who meet any of these conditions' })
  @Allow()
  not?: SearchFilters;

  @TextList(MAX_EXCLUDED, 'IDs of creators to leave out')
  exclude_ids?: string[];

  @OneOf(['followers', 'last_active_at'], 'followers', 'What the creators are sorted by; unknown values are lowest')
  sort: SearchSort = 'followers';

  @OneOf(['asc', 'desc'], 'desc', 'Direction of the sort')
  order: Order = 'desc';

  @BodyLimit(50, 10)
  limit: number = 10;

  @Cursor()
  cursor?: string;

  @BodyFlag('Whether to add `meta.count`: how many creators there are in all')
  count: boolean = false;

  @TextList(MAX_FACETS, 'Adds `meta.facets`: the 20 most frequent values of each, among all creators found', FACETS)
  facets?: Facet[];
}
