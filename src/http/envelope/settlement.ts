import { Injectable } from '@nestjs/common';
import type { OperationName } from '../../model/operation.js';
import { costOf, NO_COST, type Cost } from '../../receipts/prices.js';
import { RequestCounts } from '../../receipts/request-counts.js';
import { UsageRecorder } from '../../receipts/usage-recorder.js';
import { serviceUnavailable } from '../api-error.js';
import type { ApiRequest } from '../api-request.js';
import { failureOf } from './failure.js';
import { replyOf, type Outcome, type Reply } from './reply.js';

/** Prices and records what a request is answered with: successes by the interceptor, errors by the filter. */
@Injectable()
export class Settlement {
  constructor(
    private readonly recorder: UsageRecorder,
    private readonly counts: RequestCounts,
  ) {}

  /** @returns what to write, once the record is durable; a 503 where it could not be made so */
  async settle(request: ApiRequest, outcome: Outcome): Promise<Reply> {
    const { context } = request;
    const cost = priceOf(request, outcome);
    if (context.isSettled) throw new Error(`${context.requestId} was recorded before`);
    context.isSettled = true;
    const isDurable = await this.#record(request, outcome, cost);
    const answered = isDurable ? outcome : failureOf(context, serviceUnavailable());
    this.counts.add(operationOf(request), answered.status);
    return replyOf(context, answered, isDurable ? cost : NO_COST);
  }

  async #record(request: ApiRequest, { status, itemsReturned }: Outcome, cost: Cost): Promise<boolean> {
    const { context } = request;
    const record = {
      request_id: context.requestId,
      occurred_at: context.receivedAt,
      key_id: context.caller?.keyId ?? null,
      operation: operationOf(request),
      platform: context.platform,
      status,
      quota_units: cost.quotaUnits,
      credits: cost.credits,
      items_returned: itemsReturned,
      duration_ms: Math.round((performance.now() - context.startedAt) * 1000) / 1000,
    } as const;
    if (context.caller !== null) return this.recorder.record(record);
    // Requests without a valid key do not wait for their record.
    this.recorder.recordRejection(record);
    return true;
  }
}

const operationOf = ({ context }: ApiRequest): OperationName => context.endpoint?.operation ?? 'unknown';

function priceOf(request: ApiRequest, { status, itemsReturned }: Outcome): Cost {
  const { endpoint, caller } = request.context;
  if (endpoint === null || caller === null || (status !== 200 && status !== 404)) return NO_COST;
  return costOf(endpoint.operation, status, endpoint.asksFor?.(request) ?? 1, itemsReturned);
}
