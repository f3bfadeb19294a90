import { Controller, Get, Query } from '@nestjs/common';
import { computed, type Answer } from '../../http/envelope/answer.js';
import { Endpoint } from '../../http/envelope/endpoint.js';
import { CallingKey, CallingAllowance, ReceivedAt } from '../../http/request.params.js';
import { conflictingParameters } from '../../http/errors/api-error.js';
import { RequestPipe } from '../../http/validation/request.pipe.js';
import type { MonthAllowance } from '../../receipts/allowances.js';
import { parseDayNumber } from '../../receipts/usage-record.js';
import { UsageReports } from './usage-report.js';
import { sumUsage } from './usage-sums.js';
import { OwnUsageRequest } from './usage.requests.js';

@Controller('usage')
export class UsageController {
  constructor(private readonly reports: UsageReports) {}

  @Get()
  @Endpoint({
    operation: 'usage.get',
    summary: 'Get your usage',
    description:
      'Returns the usage of the calling key by UTC day and operation, with totals in `meta.totals` and the monthly allowance in `meta.allowance`. Does not include the request itself.',
    takesQuery: true,
    payload: { many: 'UsageLine' },
    meta: ['received_at', 'totals', 'allowance'],
  })
  async own(
    @Query(RequestPipe) query: OwnUsageRequest,
    @CallingKey() keyId: string,
    @CallingAllowance() limits: MonthAllowance | null,
    @ReceivedAt() now: number,
  ): Promise<Answer> {
    const { from, to, tooLong } = query.daysAt(now);
    if (from > to) throw conflictingParameters('start_date must not be later than end_date');
    if (tooLong) throw conflictingParameters('start_date and end_date must span at most 366 days');
    const days = { from: parseDayNumber(from), to: parseDayNumber(to) };
    const lines = await this.reports.listUsage(keyId, days);
    const allowance = limits === null ? null : await this.reports.describeAllowance(keyId, limits, now);
    return computed(lines, lines.length, { totals: sumUsage(lines), allowance });
  }
}
