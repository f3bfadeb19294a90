import type { RequestCounts } from './request-counts.js';
import type { RequestContext } from '../model/request-context.js';
import { NO_COST, type AnswerRecorded, type Cost, type Receipts } from './receipts.js';
import { PRICES } from './prices.js';
import type { UsageRecord } from './usage-record.js';
import type { UsageRecorder } from './usage-recorder.js';

/** Prices an answer and records it. */
export class UsageReceipts implements Receipts {
  constructor(
    private readonly recorder: UsageRecorder,
    private readonly counts: RequestCounts,
  ) {}

  expect(): void {
    this.recorder.expect();
  }

  expectLater(): void {
    this.recorder.expectLater();
  }

  costOf(context: RequestContext, status: number, itemsReturned: number): Cost {
    const served = status === 200 || status === 404;
    if (context.operation === null || context.caller === null || !served) return NO_COST;
    const price = PRICES[context.operation.name];
    return {
      quotaUnits: price.units(context.itemsAskedFor),
      credits: status === 200 ? price.credits(itemsReturned) : 0,
    };
  }

  record(context: RequestContext, status: number, cost: Cost, itemsReturned: number, answer: AnswerRecorded): void {
    const record: UsageRecord = {
      request_id: context.requestId,
      occurred_at: context.receivedAt,
      key_id: context.caller?.keyId ?? null,
      operation: context.operation?.name ?? 'unknown',
      platform: context.platform,
      status,
      quota_units: cost.quotaUnits,
      credits: cost.credits,
      items_returned: itemsReturned,
      duration_ms: Math.round((performance.now() - context.startedAt) * 1000) / 1000,
    };
    this.counts.add(record.operation, status);
    if (context.caller !== null) {
      this.recorder.record(record, answer);
    } else {
      this.recorder.recordRejection(record);
      answer(true);
    }
  }
}
