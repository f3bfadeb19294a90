import { Body, Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { Answers } from '../../http/envelope/answers.js';
import { Endpoint } from '../../http/envelope/endpoint.js';
import { notFound } from '../../http/api-error.js';
import { GamesQueries } from '../games/games.queries.js';
import { ApiRequest, ApiResponse } from '../../http/lean-express.adapter.js';
import { PlatformParam } from '../../http/validation/platform.param.js';
import { GAME_PLATFORMS, PLATFORMS, type Platform } from '../../model/platforms.js';
import { ProfilesQueries } from '../profiles/profiles.queries.js';
import { RequestPipe } from '../../http/validation/request.pipe.js';
import { ContentQueries } from './content.queries.js';
import { ContentBatchRequest, ContentListRequest, GameContentRequest } from './content.requests.js';

@Controller('platforms/:platform')
export class ContentController {
  constructor(
    private readonly content: ContentQueries,
    private readonly profiles: ProfilesQueries,
    private readonly games: GamesQueries,
    private readonly answers: Answers,
  ) {}

  @Get('content/:content_id')
  @Endpoint({
    operation: 'content.get',
    summary: 'A single item of content',
    platforms: PLATFORMS,
    path: { content_id: 'ID of the item on the platform' },
    payload: { one: 'Content' },
    meta: ['received_at'],
    notFound: ['Content not found'],
  })
  async get(
    @PlatformParam() platform: Platform,
    @Param('content_id') id: string,
    @Req() request: ApiRequest,
    @Res() response: ApiResponse,
  ): Promise<void> {
    const { context } = request;
    context.itemsAskedFor = 1;
    const document = await this.content.find(platform, id);
    if (document === null) throw notFound('Content');
    this.answers.success(request, response, {
      payload: document,
      meta: { received_at: context.receivedAtText },
      itemsReturned: 1,
    });
  }

  @Get('content')
  @Endpoint({
    operation: 'content.list',
    summary: 'Content of a platform, page by page',
    platforms: PLATFORMS,
    takesQuery: true,
    payload: { many: 'Content' },
    paging: 'cursor',
    meta: ['platform', 'received_at'],
  })
  async list(
    @PlatformParam() platform: Platform,
    @Query(RequestPipe) query: ContentListRequest,
    @Req() request: ApiRequest,
    @Res() response: ApiResponse,
  ): Promise<void> {
    const { context } = request;
    context.itemsAskedFor = query.limit;
    const { documents, nextCursor } = await this.content.list(platform, query);
    this.answers.success(request, response, {
      payload: documents,
      paging: { limit: query.limit, next_cursor: nextCursor },
      meta: { platform, received_at: context.receivedAtText },
      itemsReturned: documents.length,
    });
  }

  @Post('content')
  @Endpoint({
    operation: 'content.batch',
    summary: 'Up to 100 items of content by ID',
    platforms: PLATFORMS,
    takesBody: true,
    payload: { many: 'Content' },
    meta: ['platform', 'missing_ids', 'received_at'],
  })
  async batch(
    @PlatformParam() platform: Platform,
    @Body(RequestPipe) body: ContentBatchRequest,
    @Req() request: ApiRequest,
    @Res() response: ApiResponse,
  ): Promise<void> {
    const { context } = request;
    const ids = [...new Set(body.content_ids)];
    context.itemsAskedFor = ids.length;
    const { documents, missing } = await this.content.findMany(platform, ids);
    this.answers.success(request, response, {
      payload: documents,
      meta: {
        platform,
        missing_ids: missing,
        received_at: context.receivedAtText,
      },
      itemsReturned: documents.length,
    });
  }

  @Get('profiles/:profile_id/content')
  @Endpoint({
    operation: 'content.by_profile',
    summary: 'Content of a creator, page by page',
    platforms: PLATFORMS,
    path: { profile_id: 'ID of the creator on the platform' },
    takesQuery: true,
    payload: { many: 'Content' },
    paging: 'cursor',
    meta: ['platform', 'profile_id', 'received_at'],
    notFound: ['Profile not found'],
  })
  async listOfProfile(
    @PlatformParam() platform: Platform,
    @Param('profile_id') profileId: string,
    @Query(RequestPipe) query: ContentListRequest,
    @Req() request: ApiRequest,
    @Res() response: ApiResponse,
  ): Promise<void> {
    const { context } = request;
    context.itemsAskedFor = query.limit;
    const { documents, nextCursor } = await this.content.listOfProfile(platform, profileId, query);
    if (documents.length === 0 && !(await this.#profileIsKnown(platform, profileId))) throw notFound('Profile');
    this.answers.success(request, response, {
      payload: documents,
      paging: { limit: query.limit, next_cursor: nextCursor },
      meta: { platform, profile_id: profileId, received_at: context.receivedAtText },
      itemsReturned: documents.length,
    });
  }

  @Get('games/:game_id/content')
  @Endpoint({
    operation: 'content.by_game',
    summary: 'Streams and videos of a game, page by page',
    platforms: GAME_PLATFORMS,
    path: { game_id: 'ID of the game on the platform' },
    takesQuery: true,
    payload: { many: 'Content' },
    paging: 'cursor and has_more',
    meta: ['source', 'received_at', 'request_id', 'game', 'platform'],
    notFound: ['Game not found'],
  })
  async listOfGame(
    @PlatformParam(GAME_PLATFORMS) platform: Platform,
    @Param('game_id') gameId: string,
    @Query(RequestPipe) query: GameContentRequest,
    @Req() request: ApiRequest,
    @Res() response: ApiResponse,
  ): Promise<void> {
    const { context } = request;
    context.itemsAskedFor = query.limit;
    const [{ documents, nextCursor }, game] = await Promise.all([
      this.content.listOfGame(platform, gameId, query),
      this.games.findOnPlatform(platform, gameId),
    ]);
    if (documents.length === 0 && game === null && !(await this.content.gameHasContent(platform, gameId))) {
      throw notFound('Game');
    }
    this.answers.success(request, response, {
      payload: documents,
      paging: { limit: query.limit, next_cursor: nextCursor, has_more: nextCursor !== null },
      meta: {
        source: 'database',
        received_at: context.receivedAtText,
        request_id: context.requestId,
        game: game === null ? null : { id: game.id, name: game.name, slug: game.slug },
        platform,
      },
      itemsReturned: documents.length,
    });
  }

  async #profileIsKnown(platform: Platform, profileId: string): Promise<boolean> {
    return (
      (await this.profiles.exists(platform, profileId)) || (await this.content.profileHasContent(platform, profileId))
    );
  }
}
