import { Controller, Get, Param, Query } from '@nestjs/common';
import { computed, type Answer } from '../../http/envelope/answer.js';
import { Endpoint } from '../../http/envelope/endpoint.js';
import { conflictingParameters, notFound } from '../../http/errors/api-error.js';
import { ReceivedAt } from '../../http/request.params.js';
import { PlatformParam } from '../../http/validation/platform.param.js';
import { RequestPipe } from '../../http/validation/request.pipe.js';
import { PLATFORMS, type Platform } from '../../model/platforms.js';
import { HistoryQueries } from './history.queries.js';
import { HistoryRequest, MAX_INTERVALS } from './history.requests.js';
import { lastOfEach } from './intervals.js';

@Controller('platforms/:platform/profiles/:profile_id')
export class HistoryController {
  constructor(private readonly history: HistoryQueries) {}

  @Get('history')
  @Endpoint({
    operation: 'history.get',
    summary: 'Get the history of a profile',
    description:
      'Returns followers and views by UTC day, week or month, oldest first. Only observed days are listed: with `interval=week` or `month`, `date` is the last observed day of each. `meta.first_observed_at` is the first observed day of all; null without any.',
    platforms: PLATFORMS,
    path: { profile_id: 'ID of the creator on the platform' },
    takesQuery: true,
    payload: { many: 'HistoryPoint' },
    meta: ['received_at', 'platform', 'profile_id', 'first_observed_at'],
    notFound: ['profile_not_found'],
  })
  async get(
    @PlatformParam() platform: Platform,
    @Param('profile_id') profileId: string,
    @Query(RequestPipe) query: HistoryRequest,
    @ReceivedAt() now: number,
  ): Promise<Answer> {
    const { interval } = query;
    const { from, to, intervals } = query.daysAt(now);
    if (from > to) throw conflictingParameters('start_date must not be later than end_date');
    if (intervals > MAX_INTERVALS) {
      throw conflictingParameters(`start_date and end_date must span at most ${MAX_INTERVALS} ${interval}s`);
    }
    const history = await this.history.find(platform, profileId, from, to);
    if (history === null) throw notFound('profile_not_found');
    const points = lastOfEach(history.points, interval);
    return computed(points, points.length, { first_observed_at: history.firstDay });
  }
}
