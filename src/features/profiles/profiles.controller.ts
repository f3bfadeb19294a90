import { Body, Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { Answers } from '../../http/envelope/answers.js';
import { Endpoint } from '../../http/envelope/endpoint.js';
import { badRequest, notFound } from '../../http/api-error.js';
import { ApiRequest, ApiResponse } from '../../http/lean-express.adapter.js';
import { PlatformParam } from '../../http/validation/platform.param.js';
import { PLATFORMS, type Platform } from '../../model/platforms.js';
import { RequestPipe } from '../../http/validation/request.pipe.js';
import { foldHandle, withoutAt } from './handle.js';
import type { HandleMapping } from './profile.js';
import { ProfilesQueries } from './profiles.queries.js';
import { HandleLookupRequest, ProfileBatchRequest, ProfileListRequest } from './profiles.requests.js';

@Controller('platforms/:platform/profiles')
export class ProfilesController {
  constructor(
    private readonly profiles: ProfilesQueries,
    private readonly answers: Answers,
  ) {}

  @Get(':profile_id')
  @Endpoint({
    operation: 'profiles.get',
    summary: 'A single profile',
    platforms: PLATFORMS,
    path: { profile_id: 'ID of the creator on the platform' },
    payload: { one: 'Profile' },
    meta: ['received_at'],
    notFound: ['Profile not found'],
  })
  async get(
    @PlatformParam() platform: Platform,
    @Param('profile_id') id: string,
    @Req() request: ApiRequest,
    @Res() response: ApiResponse,
  ): Promise<void> {
    const { context } = request;
    context.itemsAskedFor = 1;
    const document = await this.profiles.find(platform, id);
    if (document === null) throw notFound('Profile');
    this.answers.success(request, response, {
      payload: document,
      meta: { received_at: context.receivedAtText },
      itemsReturned: 1,
    });
  }

  @Get()
  @Endpoint({
    operation: 'profiles.list',
    summary: 'Profiles of a platform, page by page',
    platforms: PLATFORMS,
    takesQuery: true,
    payload: { many: 'Profile' },
    paging: 'cursor',
    meta: ['received_at'],
  })
  async list(
    @PlatformParam() platform: Platform,
    @Query(RequestPipe) query: ProfileListRequest,
    @Req() request: ApiRequest,
    @Res() response: ApiResponse,
  ): Promise<void> {
    const { context } = request;
    if (query.sort === 'followers' && (query.start_date ?? query.end_date) !== undefined) {
      throw badRequest('start_date and end_date need a sort by date, not by followers');
    }
    context.itemsAskedFor = query.limit;
    const { documents, nextCursor } = await this.profiles.list(platform, query);
    this.answers.success(request, response, {
      payload: documents,
      paging: { limit: query.limit, next_cursor: nextCursor },
      meta: { received_at: context.receivedAtText },
      itemsReturned: documents.length,
    });
  }

  @Post()
  @Endpoint({
    operation: 'profiles.batch',
    summary: 'Up to 100 profiles by ID',
    platforms: PLATFORMS,
    takesBody: true,
    payload: { many: 'Profile' },
    meta: ['missing_ids', 'received_at'],
  })
  async batch(
    @PlatformParam() platform: Platform,
    @Body(RequestPipe) body: ProfileBatchRequest,
    @Req() request: ApiRequest,
    @Res() response: ApiResponse,
  ): Promise<void> {
    const { context } = request;
    const ids = [...new Set(body.profile_ids)];
    context.itemsAskedFor = ids.length;
    const { documents, missing } = await this.profiles.findMany(platform, ids);
    this.answers.success(request, response, {
      payload: documents,
      meta: { missing_ids: missing, received_at: context.receivedAtText },
      itemsReturned: documents.length,
    });
  }

  @Post('lookup')
  @Endpoint({
    operation: 'profiles.lookup',
    summary: 'IDs of up to 100 handles',
    platforms: PLATFORMS,
    takesBody: true,
    payload: { many: 'HandleMapping' },
    meta: ['missing_handles', 'received_at'],
  })
  async lookup(
    @PlatformParam() platform: Platform,
    @Body(RequestPipe) body: HandleLookupRequest,
    @Req() request: ApiRequest,
    @Res() response: ApiResponse,
  ): Promise<void> {
    const { context } = request;
    const spellings = distinctHandles(body.handles);
    context.itemsAskedFor = spellings.size;
    const ids = await this.profiles.findIdsByHandle(platform, [...spellings.keys()]);
    const mappings: HandleMapping[] = [];
    const missing: string[] = [];
    for (const [folded, handle] of spellings) {
      const id = ids.get(folded);
      if (id === undefined) missing.push(handle);
      else mappings.push({ handle, id });
    }
    this.answers.success(request, response, {
      payload: JSON.stringify(mappings),
      meta: { missing_handles: missing, received_at: context.receivedAtText },
      itemsReturned: mappings.length,
    });
  }
}

/** Each handle once, by its folded form, in the spelling and order in which it is first asked for. */
function distinctHandles(handles: readonly string[]): Map<string, string> {
  const spellings = new Map<string, string>();
  for (const handle of handles.map(withoutAt)) {
    const folded = foldHandle(handle);
    if (!spellings.has(folded)) spellings.set(folded, handle);
  }
  return spellings;
}
