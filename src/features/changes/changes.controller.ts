import { Controller, Get, Query } from '@nestjs/common';
import type { Answer } from '../../http/envelope/answer.js';
import { Endpoint, pageLimit } from '../../http/envelope/endpoint.js';
import { CallingAllowance } from '../../http/request.params.js';
import { PlatformParam } from '../../http/validation/platform.param.js';
import { RequestPipe } from '../../http/validation/request.pipe.js';
import { PLATFORMS, type Platform } from '../../model/platforms.js';
import type { MonthAllowance } from '../../receipts/allowances.js';
import { Changes } from './changes.js';
import { ChangesRequest, FeedRequest } from './changes.requests.js';

const FEED =
  'Without `cursor` it begins with the oldest change, and so holds every record once; a record that changed often is there once, ' +
  'at its last change. Apply the pages in order and keep `paging.next_cursor`, which never expires: you then have what the store ' +
  'has, deletions included. The monthly allowance may cut a page short.';

@Controller()
export class ChangesController {
  constructor(private readonly changes: Changes) {}

  @Get('platforms/:platform/changes')
  @Endpoint({
    operation: 'changes.list',
    summary: 'Follow changes of a platform',
    description: `Returns the records of one kind in the order of their last change. ${FEED}`,
    platforms: PLATFORMS,
    readRecords: pageLimit(FeedRequest),
    takesQuery: true,
    payload: { many: 'Change' },
    paging: 'feed',
    meta: ['received_at'],
    errors: ['cursor_ahead'],
  })
  list(
    @PlatformParam() platform: Platform,
    @Query(RequestPipe) query: ChangesRequest,
    @CallingAllowance() allowance: MonthAllowance | null,
  ): Promise<Answer> {
    return this.changes.readPage('changes.list', { kind: query.kind, platform }, query, allowance !== null);
  }

  @Get('games/changes')
  @Endpoint({
    operation: 'games.changes',
    summary: 'Follow changes of games',
    description: `Returns the games in the order of their last change. ${FEED}`,
    readRecords: pageLimit(FeedRequest),
    takesQuery: true,
    payload: { many: 'GameChange' },
    paging: 'feed',
    meta: ['received_at'],
    errors: ['cursor_ahead'],
  })
  listGames(
    @Query(RequestPipe) query: FeedRequest,
    @CallingAllowance() allowance: MonthAllowance | null,
  ): Promise<Answer> {
    return this.changes.readPage('games.changes', { kind: 'games', platform: null }, query, allowance !== null);
  }
}
