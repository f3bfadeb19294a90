import { Controller, Get, Param, Query } from '@nestjs/common';
import { found, type Answer } from '../../http/envelope/answer.js';
import { Endpoint, pageLimit } from '../../http/envelope/endpoint.js';
import { PlatformParam } from '../../http/validation/platform.param.js';
import { GAME_PLATFORMS } from '../../model/platforms.js';
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
  ) {}

  @Get('games/search')
  @Endpoint({
    operation: 'games.search',
    requestedItems: pageLimit(GameSearchRequest),
    summary: 'Search games',
    description:
      'Searches games by name, most popular first. Every word of the search text must start a word of the name; with `exact`, the text must be the whole name. Returns the IDs that the other game endpoints require.',
    takesQuery: true,
    payload: { many: 'Game' },
    meta: ['source', 'query', 'optional_platform', 'limit', 'received_at'],
  })
  async search(@Query(RequestPipe) query: GameSearchRequest): Promise<Answer> {
    const games = await this.gameSearch.find(query.text, query.platform ?? null, query.limit, query.exact);
    return { data: games, meta: { query: query.text, limit: query.limit }, itemsReturned: games.length };
  }

  @Get('platforms/:platform/games/:game_id')
  @Endpoint({
    operation: 'games.get',
    summary: 'Get a game',
    description: 'Returns the name, first release, popularity and all IDs of one game, by any of its IDs.',
    platforms: NAMESPACES,
    path: { game_id: 'ID of the game on the platform, or in the game database for `gamedb`' },
    payload: { one: 'GameDetails' },
    meta: ['received_at'],
    notFound: ['game_not_found'],
  })
  async get(@PlatformParam() namespace: GameNamespace, @Param('game_id') gameId: string): Promise<Answer> {
    return found(await this.games.find(namespace, gameId), 'game_not_found');
  }
}
