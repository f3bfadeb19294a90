import { Body, Controller, Post } from '@nestjs/common';
import { listed, type Answer } from '../../http/envelope/answer.js';
import { bodyLimit, Endpoint } from '../../http/envelope/endpoint.js';
import { CallingKey, HiddenMembers } from '../../http/request.params.js';
import { PlatformParam } from '../../http/validation/platform.param.js';
import { RequestPipe } from '../../http/validation/request.pipe.js';
import { PLATFORMS, type Platform } from '../../model/platforms.js';
import { CreatorSearch } from './creator-search.js';
import { ProfileSearchRequest } from './search.requests.js';

@Controller('platforms/:platform/profiles')
export class SearchController {
  constructor(private readonly creators: CreatorSearch) {}

  @Post('search')
  @Endpoint({
    operation: 'profiles.search',
    requestedItems: bodyLimit(ProfileSearchRequest),
    summary: 'Search for creators',
    description:
      'Finds creators by words and by filters, those with the most followers first. Every word of `text` must begin a word of the handle, the display name or the description. Pass `paging.next_cursor` as `cursor` for the next page; filters may change, but not `sort` and `order`. New and changed creators are found within 5 seconds.',
    platforms: PLATFORMS,
    takesBody: true,
    payload: { many: 'Profile' },
    paging: 'cursor',
    meta: ['received_at'],
    included: ['count', 'facets'],
  })
  async search(
    @PlatformParam() platform: Platform,
    @Body(RequestPipe) request: ProfileSearchRequest,
    @CallingKey() keyId: string,
    @HiddenMembers() hidden: ReadonlySet<string> | null,
  ): Promise<Answer> {
    const { documents, nextCursor, count, facets } = await this.creators.find(platform, request, { keyId, hidden });
    const included = {
      // Every query is evaluated for all creators if they are counted, so that the number is always exact.
      ...(count === null ? {} : { count: { value: count, relation: 'eq' } }),
      ...(request.facets === undefined ? {} : { facets }),
    };
    return { ...listed(documents, { limit: request.limit, next_cursor: nextCursor }), included };
  }
}
