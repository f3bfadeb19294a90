import { Injectable } from '@nestjs/common';
import type { OperationName } from '../../model/operation.js';
import type { RecordAllowance } from '../../receipts/allowances.js';
import { computeCost, NO_COST, type Cost } from '../../receipts/prices.js';
import { RequestCounts } from '../../receipts/request-counts.js';
import { UncheckedRecords } from '../../receipts/unchecked-records.js';
import { UsageRecorder } from '../../receipts/usage-recorder.js';
import { RECORDED, type Recording } from '../../receipts/record-batch.js';
import { allowanceUsedUp, serviceUnavailable, type ApiError } from '../errors/api-error.js';
import type { ApiRequest } from '../api-request.js';
import type { RequestContext } from '../request-context.js';
import { createErrorOutcome } from './error-outcome.js';
import { RequestLog } from './request-log.js';
import { createReply, type Outcome, type Reply } from './reply.js';

/** Prices and records the outcome of a request. The interceptor settles successes, the error filter errors,
 * and `configure` rejections for overload. */
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
    const replacement = request.rejection ?? context.forced?.error ?? null;
    const intended =
      replacement !== null && isPriced(outcome) ? replaceOutcome(context, outcome, replacement) : outcome;
    const cost = computeRequestCost(request, intended);
    context.isSettled = true;
    const recording = await this.#record(request, intended, cost);
    const error = errorOf(recording);
    const sent = findSent(intended, recording);
    const finalOutcome = error === null ? sent : createErrorOutcome(context, error);
    const finalCost = error === null ? (sent === intended ? cost : computeRequestCost(request, sent)) : NO_COST;
    this.#count(request, finalOutcome.status, finalCost);
    return createReply(context, finalOutcome, finalCost, recording.allowanceCheck);
  }

  #count(request: ApiRequest, status: number, { quotaUnits }: Cost): void {
    const { context } = request;
    const operation = getOperation(request);
    const durationMs = performance.now() - context.startedAt;
    // The metrics omit forced answers, which would raise alarms.
    const { forced } = context;
    if (forced === null) this.counts.add(operation, status, durationMs);
    if (forced === null && status === 429) this.counts.limited[context.caller === null ? 'wrong_keys' : 'minute'] += 1;
    this.log.logAnswer(context, operation, status, durationMs, quotaUnits);
  }

  async #record(request: ApiRequest, outcome: Outcome, cost: Cost): Promise<Recording> {
    const { context } = request;
    const answeredAt = performance.now();
    const { status, itemsReturned } = outcome;
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
      const recording = await this.recorder.record(record, createRecordAllowance(request, outcome));
      this.counts.recordWaits.observe(performance.now() - answeredAt);
      return recording;
    }
    if (context.isKeyUnchecked && (await this.unchecked.record(record))) return RECORDED;
    // Requests without a valid key are free, so they do not wait for their record.
    this.recorder.recordRejection(record);
    return RECORDED;
  }
}

/** Creates the outcome of an error in place of data. A 404 costs the units of the data. */
const replaceOutcome = (context: RequestContext, { cost }: Outcome, error: ApiError): Outcome => ({
  ...createErrorOutcome(context, error),
  cost: cost && { ...cost, credits: 0 },
});

/** Returns the allowance of the caller, with the shorter forms of the response. */
function createRecordAllowance(request: ApiRequest, { shorter }: Outcome): RecordAllowance | null {
  const allowance = request.context.caller?.allowance ?? null;
  if (allowance === null || shorter === undefined) return allowance;
  const isHead = request.method === 'HEAD';
  return {
    ...allowance,
    shorter: shorter.map(({ cost, itemsReturned }) => ({
      quota_units: cost.quotaUnits,
      credits: isHead ? 0 : cost.credits,
      items_returned: isHead ? 0 : itemsReturned,
    })),
  };
}

/** Returns the response, or the shorter form of it that was recorded. */
function findSent(outcome: Outcome, { allowanceCheck }: Recording): Outcome {
  const index = allowanceCheck?.shorterForm ?? null;
  return index === null ? outcome : (outcome.shorter?.[index]?.create() ?? outcome);
}

function errorOf({ isDurable, allowanceCheck }: Recording): ApiError | null {
  if (!isDurable) return serviceUnavailable();
  return allowanceCheck?.isRejected === true ? allowanceUsedUp() : null;
}

const getOperation = ({ context }: ApiRequest): OperationName => context.endpoint?.operation ?? 'unknown';

/** Whether an outcome may have a price: data, or the knowledge that there is none. */
const isPriced = ({ status }: Outcome): boolean => status < 400 || status === 404;

function computeRequestCost(request: ApiRequest, outcome: Outcome): Cost {
  const { pricedAs: status = outcome.status, itemsReturned } = outcome;
  const { endpoint, caller } = request.context;
  if (endpoint === null || caller === null || (status !== 200 && status !== 404)) return NO_COST;
  // HEAD returns no data, so it costs units but no credits.
  const isHead = request.method === 'HEAD';
  if (outcome.cost !== undefined) return isHead ? { ...outcome.cost, credits: 0 } : outcome.cost;
  const returned = isHead ? 0 : itemsReturned;
  return computeCost(endpoint.operation, status, endpoint.requestedItems?.(request) ?? 1, returned);
}
