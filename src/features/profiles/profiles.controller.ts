import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { computed, found, foundAmong, listed, type Answer } from '../../http/envelope/answer.js';
import { Endpoint, itemsOf, pageOf } from '../../http/envelope/endpoint.js';
import { HiddenMembers } from '../../http/request.params.js';
import { PlatformParam } from '../../http/validation/platform.param.js';
import { PLATFORMS, type Platform } from '../../model/platforms.js';
import { RequestPipe } from '../../http/validation/request.pipe.js';
import { foldHandle, withoutAt } from './handle.js';
import { NO_PROFILE, PROFILE_NOT_FOUND, type HandleMapping } from './profile.js';
import { ProfilesQueries } from './profiles.queries.js';
import { HandleLookupRequest, ProfileBatchRequest, ProfileListRequest } from './profiles.requests.js';

@Controller('platforms/:platform/profiles')
export class ProfilesController {
  constructor(private readonly profiles: ProfilesQueries) {}

  @Get(':profile_id')
  @Endpoint({
    operation: 'profiles.get',
    summary: 'Get a profile',
    description:
      'The name, texts, images, counts and dates of one creator. Use it when you know the ID; `profiles.lookup` finds the ID of a handle.',
    platforms: PLATFORMS,
    path: { profile_id: 'ID of the creator on the platform' },
    payload: { one: 'Profile' },
    meta: ['received_at'],
    notFound: NO_PROFILE,
  })
  async get(@PlatformParam() platform: Platform, @Param('profile_id') id: string): Promise<Answer> {
    return found(await this.profiles.find(platform, id), PROFILE_NOT_FOUND);
  }

  @Get()
  @Endpoint({
    operation: 'profiles.list',
    asksFor: pageOf(ProfileListRequest),
    summary: 'List profiles',
    description:
      'Walks all creators of a platform, the most recently updated first. `sort=followers` starts with the largest ones; the dates bound the member that is sorted by, so they cannot be combined with it.',
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
    const { documents, nextCursor } = await this.profiles.list(platform, query, hidden);
    return listed(documents, { limit: query.limit, next_cursor: nextCursor });
  }

  @Post()
  @Endpoint({
    operation: 'profiles.batch',
    asksFor: itemsOf(ProfileBatchRequest, 'profile_ids'),
    summary: 'Get up to 100 profiles',
    description:
      'The profiles of many IDs at once, in the order in which they are asked for. IDs that are not known do not fail the request: they are in `meta.missing_ids`.',
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
    asksFor: itemsOf(HandleLookupRequest, 'handles', normalizeHandle),
    summary: 'Look up handles',
    description:
      'Turns handles, with or without a leading `@` and in any case, into the IDs that all other endpoints take. Handles that nobody has are in `meta.missing_handles`.',
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
  return foldHandle(withoutAt(handle));
}

/** Dedupes handles. @returns the first requested spelling by normalized handle, in the order of the request */
function dedupeHandles(handles: readonly string[]): Map<string, string> {
  const spellings = new Map<string, string>();
  for (const handle of handles) {
    const normalized = normalizeHandle(handle);
    if (!spellings.has(normalized)) spellings.set(normalized, withoutAt(handle));
  }
  return spellings;
}
