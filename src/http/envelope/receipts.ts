import { Injectable } from '@nestjs/common';
import { costOf, NO_COST, type Cost } from '../../receipts/prices.js';
import { RequestCounts } from '../../receipts/request-counts.js';
import { UsageRecorder } from '../../receipts/usage-recorder.js';
import { serviceUnavailable } from '../api-error.js';
import type { ApiRequest } from '../lean-express.adapter.js';
import { failureOf } from './failure.js';
import { replyOf, type Outcome, type Reply } from './reply.js';

/** Prices and records what a request is answered with: successes by the interceptor, errors by the filter. */
@Injectable()
export class Receipts {
  constructor(
    private readonly recorder: UsageRecorder,
    private readonly counts: RequestCounts,
  ) {}

  /** @returns what to write, once the record is durable; a 503 where it could not be made so */
  async settle(request: ApiRequest, outcome: Outcome): Promise<Reply> {
    const { context } = request;
    const cost = priceOf(request, outcome);
    if (await this.#record(request, outcome, cost)) return replyOf(context, outcome, cost);
    return replyOf(context, failureOf(context, serviceUnavailable()), NO_COST);
  }

  async #record({ context }: ApiRequest, { status, itemsReturned }: Outcome, cost: Cost): Promise<boolean> {
    const record = {
      request_id: context.requestId,
      occurred_at: context.receivedAt,
      key_id: context.caller?.keyId ?? null,
      operation: context.endpoint?.operation ?? 'unknown',
      platform: context.platform,
      status,
      quota_units: cost.quotaUnits,
      credits: cost.credits,
      items_returned: itemsReturned,
      duration_ms: Math.round((performance.now() - context.startedAt) * 1000) / 1000,
    } as const;
    if (context.isSettled) throw new Error(`${context.requestId} was recorded before`);
    context.isSettled = true;
    this.counts.add(record.operation, status);
    if (context.caller !== null) return this.recorder.record(record);
    // Requests without a valid key do not wait for their record.
    this.recorder.recordRejection(record);
    return true;
  }
}

function priceOf(request: ApiRequest, { status, itemsReturned }: Outcome): Cost {
  const { endpoint, caller } = request.context;
  if (endpoint === null || caller === null || (status !== 200 && status !== 404)) return NO_COST;
  return costOf(endpoint.operation, status, endpoint.asksFor(request), itemsReturned);
}
