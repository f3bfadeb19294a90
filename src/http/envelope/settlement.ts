import { Injectable } from '@nestjs/common';
import type { OperationName } from '../../model/operation.js';
import { computeCost, NO_COST, type Cost } from '../../receipts/prices.js';
import { RequestCounts } from '../../receipts/request-counts.js';
import { UncheckedRecords } from '../../receipts/unchecked-records.js';
import { UsageRecorder } from '../../receipts/usage-recorder.js';
import { RECORDED, type Recording } from '../../receipts/record-batch.js';
import { allowanceUsedUp, serviceUnavailable, type ApiError } from '../errors/api-error.js';
import type { ApiRequest } from '../api-request.js';
import { createErrorOutcome } from './error-outcome.js';
import { RequestLog } from './request-log.js';
import { createReply, type Outcome, type Reply } from './reply.js';

/** Prices and records the outcome of a request. The interceptor settles successes, the error filter errors. */
@Injectable()
export class Settlement {
  constructor(
    private readonly recorder: UsageRecorder,
    private readonly unchecked: UncheckedRecords,
    private readonly counts: RequestCounts,
    private readonly log: RequestLog,
  ) {}

  /** Records an outcome and returns its reply: a 503 if the record could not be made durable, or a 402 if the request does
   * not fit into the month allowance of its key. */
  async settle(request: ApiRequest, outcome: Outcome): Promise<Reply> {
    const { context } = request;
    if (context.isSettled) throw new Error(`${context.requestId} was recorded before`);
    const intended =
      request.rejection !== undefined && isPriced(outcome) ? createErrorOutcome(context, request.rejection) : outcome;
    const cost = computeRequestCost(request, intended);
    context.isSettled = true;
    const recording = await this.#record(request, intended, cost);
    const error = errorOf(recording);
    const finalOutcome = error === null ? intended : createErrorOutcome(context, error);
    const finalCost = error === null ? cost : NO_COST;
    this.#count(request, finalOutcome.status, finalCost);
    return createReply(context, finalOutcome, finalCost, recording.admission);
  }

  #count(request: ApiRequest, status: number, { quotaUnits }: Cost): void {
    const { context } = request;
    const operation = getOperation(request);
    const durationMs = performance.now() - context.startedAt;
    this.counts.add(operation, status, durationMs);
    if (status === 429) this.counts.limited[context.caller === null ? 'wrong_keys' : 'minute'] += 1;
    this.log.logAnswer(context, operation, status, durationMs, quotaUnits);
  }

  async #record(request: ApiRequest, { status, itemsReturned }: Outcome, cost: Cost): Promise<Recording> {
    const { context } = request;
    const answeredAt = performance.now();
    const record = {
      request_id: context.requestId,
      occurred_at: context.receivedAt,
      key_id: context.caller?.keyId ?? null,
      operation: getOperation(request),
      platform: context.platform,
      status,
      quota_units: cost.quotaUnits,
      credits: cost.credits,
      items_returned: request.method === 'HEAD' ? 0 : itemsReturned,
      duration_ms: Math.round((answeredAt - context.startedAt) * 1000) / 1000,
    } as const;
    // In the same turn as the record is passed on: in between, the watermark could skip this request.
    context.endArrival();
    if (context.caller !== null) {
      const recording = await this.recorder.record(record, context.caller.plan);
      this.counts.recordWaits.observe(performance.now() - answeredAt);
      return recording;
    }
    if (context.isKeyUnchecked && (await this.unchecked.record(record))) return RECORDED;
    // Requests without a valid key are free, so they do not wait for their record.
    this.recorder.recordRejection(record);
    return RECORDED;
  }
}

function errorOf({ isDurable, admission }: Recording): ApiError | null {
  if (!isDurable) return serviceUnavailable();
  return admission?.isRefused === true ? allowanceUsedUp() : null;
}

const getOperation = ({ context }: ApiRequest): OperationName => context.endpoint?.operation ?? 'unknown';

/** Whether an outcome may have a price: data, or the knowledge that there is none. */
const isPriced = ({ status }: Outcome): boolean => status < 400 || status === 404;

function computeRequestCost(request: ApiRequest, outcome: Outcome): Cost {
  const { pricedAs: status = outcome.status, itemsReturned } = outcome;
  const { endpoint, caller } = request.context;
  if (endpoint === null || caller === null || (status !== 200 && status !== 404)) return NO_COST;
  // HEAD returns no data, so it costs units but no credits.
  const returned = request.method === 'HEAD' ? 0 : itemsReturned;
  return computeCost(endpoint.operation, status, endpoint.requestedItems?.(request) ?? 1, returned);
}
