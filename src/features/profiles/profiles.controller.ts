import { Body, Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiRequest } from '../../http/api-request.js';
import { computed, found, foundAmong, listed, type Answer } from '../../http/envelope/answer.js';
import { Endpoint, batchSize, pageLimit } from '../../http/envelope/endpoint.js';
import { HiddenMembers } from '../../http/request.params.js';
import { PlatformParam } from '../../http/validation/platform.param.js';
import { PLATFORMS, type Platform } from '../../model/platforms.js';
import { readOptionalQuery, RequestPipe } from '../../http/validation/request.pipe.js';
import { AvailableDocuments } from './available-documents.js';
import { foldHandle, stripAt } from './handle.js';
import type { HandleMapping } from './profile.js';
import { ProfilesQueries } from './profiles.queries.js';
import {
  HandleLookupRequest,
  ProfileBatchRequest,
  ProfileListRequest,
  ProfileQuery,
  ProfileRequest,
} from './profiles.requests.js';

/** Names of endpoints that only support POST. A GET takes them for IDs of creators. */
const POST_ONLY: ReadonlySet<string> = new Set(['lookup', 'search']);
const USE_POST = 'To search for creators or look up handles, send a POST with a JSON body.';

@Controller('platforms/:platform/profiles')
export class ProfilesController {
  constructor(
    private readonly profiles: ProfilesQueries,
    private readonly availableDocuments: AvailableDocuments,
  ) {}

  @Get(':profile_id')
  @ProfileQuery()
  @Endpoint({
    operation: 'profiles.get',
    summary: 'Get a profile',
    description:
      'Returns the name, texts, images, statistics and dates of one creator by ID. Use `profiles.lookup` to find the ID of a handle. `include=available` tells which documents about the creator exist: ask before you pay for them.',
    platforms: PLATFORMS,
    path: { profile_id: 'ID of the creator on the platform' },
    takesQuery: true,
    payload: { one: 'Profile' },
    meta: ['received_at'],
    included: ['available'],
    notFound: ['profile_not_found'],
  })
  async get(
    @PlatformParam() platform: Platform,
    @Param('profile_id') id: string,
    @Req() request: ApiRequest,
  ): Promise<Answer> {
    const query = readOptionalQuery(ProfileRequest, request, POST_ONLY.has(id) ? USE_POST : undefined);
    if (query?.include === undefined) return found(await this.profiles.find(platform, id), 'profile_not_found');
    const [document, available] = await Promise.all([
      this.profiles.find(platform, id),
      this.availableDocuments.findAvailable(platform, id, request.context.caller?.hiddenMembers ?? null),
    ]);
    return { ...found(document, 'profile_not_found'), included: { available } };
  }

  @Get()
  @Endpoint({
    operation: 'profiles.list',
    requestedItems: pageLimit(ProfileListRequest),
    summary: 'List profiles',
    description:
      'Lists all creators of a platform, most recently updated first. `sort=followers` lists the largest first. `start_date` and `end_date` bound the sort member, so they cannot be combined with `sort=followers`.',
    platforms: PLATFORMS,
    takesQuery: true,
    payload: { many: 'Profile' },
    paging: 'cursor',
    meta: ['received_at'],
  })
  async list(
    @PlatformParam() platform: Platform,
    @Query(RequestPipe) query: ProfileListRequest,
    @HiddenMembers() hidden: ReadonlySet<string> | null,
  ): Promise<Answer> {
    const { documents, nextCursor, free } = await this.profiles.list(platform, query, hidden);
    return { ...listed(documents, { limit: query.limit, next_cursor: nextCursor }), free };
  }

  @Post()
  @Endpoint({
    operation: 'profiles.batch',
    requestedItems: batchSize(ProfileBatchRequest, 'profile_ids'),
    summary: 'Get up to 100 profiles',
    description:
      'Returns the profiles of up to 100 IDs, in the requested order. Unknown IDs do not fail the request; they are listed in `meta.missing_ids`.',
    platforms: PLATFORMS,
    takesBody: true,
    payload: { many: 'Profile' },
    meta: ['missing_ids', 'received_at'],
  })
  async batch(@PlatformParam() platform: Platform, @Body(RequestPipe) body: ProfileBatchRequest): Promise<Answer> {
    const { documents, missing } = await this.profiles.findMany(platform, [...new Set(body.profile_ids)]);
    return foundAmong(documents, missing);
  }

  @Post('lookup')
  @Endpoint({
    operation: 'profiles.lookup',
    requestedItems: batchSize(HandleLookupRequest, 'handles', normalizeHandle),
    summary: 'Look up handles',
    description:
      'Returns the IDs of handles, which all other endpoints require. Ignores case and a leading `@`. Unknown handles are listed in `meta.missing_handles`.',
    platforms: PLATFORMS,
    takesBody: true,
    payload: { many: 'HandleMapping' },
    meta: ['missing_handles', 'received_at'],
  })
  async lookup(@PlatformParam() platform: Platform, @Body(RequestPipe) body: HandleLookupRequest): Promise<Answer> {
    const spellings = dedupeHandles(body.handles);
    const ids = await this.profiles.findIdsByHandle(platform, [...spellings.keys()]);
    const mappings: HandleMapping[] = [];
    const missing: string[] = [];
    for (const [normalized, handle] of spellings) {
      const id = ids.get(normalized);
      if (id === undefined) missing.push(handle);
      else mappings.push({ handle, id });
    }
    return computed(mappings, mappings.length, { missing_handles: missing });
  }
}

/** Returns the form in which all spellings of a handle are equal. */
function normalizeHandle(handle: string): string {
  return foldHandle(stripAt(handle));
}

/** Dedupes handles. @returns the first requested spelling by normalized handle, in the order of the request */
function dedupeHandles(handles: readonly string[]): Map<string, string> {
  const spellings = new Map<string, string>();
  for (const handle of handles) {
    const normalized = normalizeHandle(handle);
    if (!spellings.has(normalized)) spellings.set(normalized, stripAt(handle));
  }
  return spellings;
}
