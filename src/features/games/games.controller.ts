import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { Answers } from '../../http/envelope/answers.js';
import { Endpoint } from '../../http/envelope/endpoint.js';
import { invalidRequest, notFound } from '../../http/api-error.js';
import { ApiRequest, ApiResponse } from '../../http/lean-express.adapter.js';
import { GAME_PLATFORMS, isPlatform } from '../../model/platforms.js';
import { RequestPipe } from '../../http/validation/request.pipe.js';
import { GameSearch } from './game-search.js';
import { GamesQueries, type GameNamespace } from './games.queries.js';
import { GameSearchRequest } from './games.requests.js';

const NAMESPACES: readonly GameNamespace[] = [...GAME_PLATFORMS, 'gamedb'];

@Controller()
export class GamesController {
  constructor(
    private readonly games: GamesQueries,
    private readonly gameSearch: GameSearch,
    private readonly answers: Answers,
  ) {}

  @Get('games/search')
  @Endpoint({
    operation: 'games.search',
    summary: 'Games by the words of their name, the most popular first',
    takesQuery: true,
    payload: { many: 'Game' },
    meta: ['source', 'query', 'optional_platform', 'limit', 'received_at'],
  })
  async search(
    @Query(RequestPipe) query: GameSearchRequest,
    @Req() request: ApiRequest,
    @Res() response: ApiResponse,
  ): Promise<void> {
    const { context } = request;
    context.platform = query.platform ?? null;
    context.itemsAskedFor = query.limit;
    const games = await this.gameSearch.find(query.text, query.platform ?? null, query.limit);
    this.answers.success(request, response, {
      payload: games,
      meta: {
        source: 'database',
        query: query.text,
        platform: query.platform ?? null,
        limit: query.limit,
        received_at: context.receivedAtText,
      },
      itemsReturned: games.length,
    });
  }

  @Get('platforms/:platform/games/:game_id')
  @Endpoint({
    operation: 'games.get',
    summary: 'Metadata of a game',
    platforms: NAMESPACES,
    path: { game_id: 'ID of the game on the platform, or in the game database for `gamedb`' },
    payload: { one: 'GameDetails' },
    meta: ['received_at'],
    notFound: ['Game not found'],
  })
  async get(
    @Param('platform') platform: string,
    @Param('game_id') gameId: string,
    @Req() request: ApiRequest,
    @Res() response: ApiResponse,
  ): Promise<void> {
    const { context } = request;
    const namespace = NAMESPACES.find((name) => name === platform);
    if (namespace === undefined) throw invalidRequest();
    context.platform = isPlatform(platform) ? platform : null;
    context.itemsAskedFor = 1;
    const document = await this.games.find(namespace, gameId);
    if (document === null) throw notFound('Game');
    this.answers.success(request, response, {
      payload: document,
      meta: { received_at: context.receivedAtText },
      itemsReturned: 1,
    });
  }
}
