import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { found, foundAmong, listed, type Answer } from '../../http/envelope/answer.js';
import { Endpoint, batchSize, pageLimit } from '../../http/envelope/endpoint.js';
import { notFound } from '../../http/errors/api-error.js';
import { HiddenMembers } from '../../http/request.params.js';
import { GamesQueries } from '../games/games.queries.js';
import { PlatformParam } from '../../http/validation/platform.param.js';
import { GAME_PLATFORMS, PLATFORMS, type GamePlatform, type Platform } from '../../model/platforms.js';
import { ProfilesQueries } from '../profiles/profiles.queries.js';
import { RequestPipe } from '../../http/validation/request.pipe.js';
import type { Content } from './content.js';
import { ContentQueries } from './content.queries.js';
import { ContentBatchRequest, ContentListRequest, GameContentRequest } from './content.requests.js';

@Controller('platforms/:platform')
export class ContentController {
  constructor(
    private readonly content: ContentQueries,
    private readonly profiles: ProfilesQueries,
    private readonly games: GamesQueries,
  ) {}

  @Get('content/:content_id')
  @Endpoint({
    operation: 'content.get',
    summary: 'Get an item of content',
    description:
      'Returns one stream, video or post with its categories, tags, chapters and the statistics that its platform provides.',
    platforms: PLATFORMS,
    path: { content_id: 'ID of the item on the platform' },
    payload: { one: 'Content' },
    meta: ['received_at'],
    notFound: ['content_not_found'],
  })
  async get(@PlatformParam() platform: Platform, @Param('content_id') id: string): Promise<Answer> {
    return found(await this.content.find(platform, id), 'content_not_found');
  }

  @Get('content')
  @Endpoint({
    operation: 'content.list',
    requestedItems: pageLimit(ContentListRequest),
    summary: 'List content',
    description: 'Lists all content of a platform, newest first.',
    platforms: PLATFORMS,
    takesQuery: true,
    payload: { many: 'Content' },
    paging: 'cursor',
    meta: ['platform', 'received_at'],
  })
  async list(
    @PlatformParam() platform: Platform,
    @Query(RequestPipe) query: ContentListRequest,
    @HiddenMembers() hidden: ReadonlySet<string> | null,
  ): Promise<Answer> {
    const { documents, nextCursor, free } = await this.content.list(platform, query, hidden);
    return { ...listed(documents, { limit: query.limit, next_cursor: nextCursor }), free };
  }

  @Post('content')
  @Endpoint({
    operation: 'content.batch',
    requestedItems: batchSize(ContentBatchRequest, 'content_ids'),
    summary: 'Get up to 100 items of content',
    description:
      'Returns up to 100 items, in the requested order. Unknown IDs do not fail the request; they are listed in `meta.missing_ids`.',
    platforms: PLATFORMS,
    takesBody: true,
    payload: { many: 'Content' },
    meta: ['platform', 'missing_ids', 'received_at'],
  })
  async batch(@PlatformParam() platform: Platform, @Body(RequestPipe) body: ContentBatchRequest): Promise<Answer> {
    const { documents, missing } = await this.content.findMany(platform, [...new Set(body.content_ids)]);
    return foundAmong(documents, missing);
  }

  @Get('profiles/:profile_id/content')
  @Endpoint({
    operation: 'content.by_profile',
    requestedItems: pageLimit(ContentListRequest),
    summary: 'List the content of a creator',
    description:
      'Lists the content of one creator, newest first. The page is empty for a known creator without content.',
    platforms: PLATFORMS,
    path: { profile_id: 'ID of the creator on the platform' },
    takesQuery: true,
    payload: { many: 'Content' },
    paging: 'cursor',
    meta: ['platform', 'profile_id', 'received_at'],
    notFound: ['profile_not_found'],
  })
  async listOfProfile(
    @PlatformParam() platform: Platform,
    @Param('profile_id') profileId: string,
    @Query(RequestPipe) query: ContentListRequest,
    @HiddenMembers() hidden: ReadonlySet<string> | null,
  ): Promise<Answer> {
    const { documents, nextCursor, free } = await this.content.listOfProfile(platform, profileId, query, hidden);
    if (documents.length === 0 && !(await this.#isProfileKnown(platform, profileId)))
      throw notFound('profile_not_found');
    return { ...listed(documents, { limit: query.limit, next_cursor: nextCursor }), free };
  }

  @Get('games/:game_id/content')
  @Endpoint({
    operation: 'content.by_game',
    requestedItems: pageLimit(GameContentRequest),
    summary: 'List the content of a game',
    description:
      'Lists the streams and videos of a game, newest first. The page is empty for a known game without content. `include=creators` adds the names of their creators.',
    platforms: GAME_PLATFORMS,
    path: { game_id: 'ID of the game on the platform' },
    takesQuery: true,
    payload: { many: 'Content' },
    paging: 'cursor and has_more',
    meta: ['source', 'received_at', 'request_id', 'game', 'platform'],
    included: ['creators'],
    notFound: ['game_not_found'],
  })
  async listOfGame(
    @PlatformParam() platform: GamePlatform,
    @Param('game_id') gameId: string,
    @Query(RequestPipe) query: GameContentRequest,
    @HiddenMembers() hidden: ReadonlySet<string> | null,
  ): Promise<Answer> {
    const [{ documents, nextCursor, free }, game] = await Promise.all([
      this.content.listOfGame(platform, gameId, query, hidden),
      this.games.findOnPlatform(platform, gameId),
    ]);
    if (documents.length === 0 && game === null && !(await this.content.gameHasContent(platform, gameId))) {
      throw notFound('game_not_found');
    }
    const paging = { limit: query.limit, next_cursor: nextCursor, has_more: nextCursor !== null };
    const meta = { game: game && { id: game.id, name: game.name, slug: game.slug } };
    const answer = { ...listed(documents, paging, meta), free };
    if (query.include === undefined) return answer;
    const creators = await this.profiles.findNames(platform, creatorIds(documents), hidden);
    return { ...answer, included: { creators } };
  }

  async #isProfileKnown(platform: Platform, profileId: string): Promise<boolean> {
    return (
      (await this.profiles.exists(platform, profileId)) || (await this.content.profileHasContent(platform, profileId))
    );
  }
}

/** Lists the creators of items, each once, in the order of their first items. */
function creatorIds(documents: readonly Buffer[]): string[] {
  const ids = documents.map((document) => (JSON.parse(String(document)) as Content).profile_id);
  return [...new Set(ids)].filter((id) => id !== null);
}
