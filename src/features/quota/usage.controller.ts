import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { Answers } from '../../http/envelope/answers.js';
import { Endpoint } from '../../http/envelope/endpoint.js';
import { badRequest, keyInvalid } from '../../http/api-error.js';
import { ApiRequest, ApiResponse } from '../../http/lean-express.adapter.js';
import { RequestPipe } from '../../http/validation/request.pipe.js';
import { dayNumberOf } from '../../receipts/usage-record.js';
import { sumUsage, UsageReports } from './usage-report.js';
import { OwnUsageRequest } from './usage.requests.js';

@Controller('usage')
export class UsageController {
  constructor(
    private readonly reports: UsageReports,
    private readonly answers: Answers,
  ) {}

  @Get()
  @Endpoint({
    operation: 'usage.get',
    summary: 'What the calling key has used, by day and operation',
    takesQuery: true,
    payload: { many: 'UsageLine' },
    meta: ['received_at', 'totals'],
  })
  async own(
    @Query(RequestPipe) query: OwnUsageRequest,
    @Req() request: ApiRequest,
    @Res() response: ApiResponse,
  ): Promise<void> {
    const { context } = request;
    if (context.caller === null) throw keyInvalid();
    const { from, to, tooLong } = query.daysAt(context.receivedAt);
    if (from > to) throw badRequest('start_date must not be later than end_date');
    if (tooLong) throw badRequest('start_date and end_date must be at most 366 days apart');
    context.itemsAskedFor = 1;
    const days = { from: dayNumberOf(from), to: dayNumberOf(to) };
    const lines = await this.reports.ofKey(context.caller.keyId, days);
    this.answers.success(request, response, {
      payload: JSON.stringify(lines),
      meta: { received_at: context.receivedAtText, totals: sumUsage(lines) },
      itemsReturned: lines.length,
    });
  }
}
