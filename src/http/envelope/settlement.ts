import { Injectable } from '@nestjs/common';
import type { OperationName } from '../../model/operation.js';
import { costOf, NO_COST, type Cost } from '../../receipts/prices.js';
import { RequestCounts } from '../../receipts/request-counts.js';
import { UncheckedRecords } from '../../receipts/unchecked-records.js';
import { UsageRecorder } from '../../receipts/usage-recorder.js';
import { serviceUnavailable } from '../api-error.js';
import type { ApiRequest } from '../api-request.js';
import { failureOf } from './failure.js';
import { RequestLog } from './request-log.js';
import { replyOf, type Outcome, type Reply } from './reply.js';

/** Prices and records what a request is answered with: successes by the interceptor, errors by the filter. */
@Injectable()
export class Settlement {
  constructor(
    private readonly recorder: UsageRecorder,
    private readonly unchecked: UncheckedRecords,
    private readonly counts: RequestCounts,
    private readonly log: RequestLog,
  ) {}

  /** @returns what to write, once the record is durable; a 503 where it could not be made so */
  async settle(request: ApiRequest, outcome: Outcome): Promise<Reply> {
    const { context } = request;
    if (context.isSettled) throw new Error(`${context.requestId} was recorded before`);
    const final =
      request.malformed !== undefined && isPriced(outcome) ? failureOf(context, request.malformed) : outcome;
    const cost = priceOf(request, final);
    context.isSettled = true;
    const isDurable = await this.#record(request, final, cost);
    const answered = isDurable ? final : failureOf(context, serviceUnavailable());
    const charged = isDurable ? cost : NO_COST;
    this.#count(request, answered.status, charged);
    return replyOf(context, answered, charged);
  }

  #count(request: ApiRequest, status: number, { quotaUnits }: Cost): void {
    const { context } = request;
    const operation = operationOf(request);
    const durationMs = performance.now() - context.startedAt;
    this.counts.add(operation, status, durationMs);
    if (status === 429) this.counts.limited[context.caller === null ? 'wrong_keys' : 'minute'] += 1;
    this.log.answered(context, operation, status, durationMs, quotaUnits);
  }

  async #record(request: ApiRequest, { status, itemsReturned }: Outcome, cost: Cost): Promise<boolean> {
    const { context } = request;
    const answeredAt = performance.now();
    const record = {
      request_id: context.requestId,
      occurred_at: context.receivedAt,
      key_id: context.caller?.keyId ?? null,
      operation: operationOf(request),
      platform: context.platform,
      status,
      quota_units: cost.quotaUnits,
      credits: cost.credits,
      items_returned: request.method === 'HEAD' ? 0 : itemsReturned,
      duration_ms: Math.round((answeredAt - context.startedAt) * 1000) / 1000,
    } as const;
    // In one turn with its record, which the recorder accounts for from here on.
    context.endArrival();
    if (context.caller !== null) {
      const isDurable = await this.recorder.record(record);
      this.counts.recordWaits.observe(performance.now() - answeredAt);
      return isDurable;
    }
    if (context.isKeyUnchecked && (await this.unchecked.record(record))) return true;
    // Requests without a valid key do not wait for their record.
    this.recorder.recordRejection(record);
    return true;
  }
}

const operationOf = ({ context }: ApiRequest): OperationName => context.endpoint?.operation ?? 'unknown';

/** Whether an outcome may have a price: data, or the knowledge that there is none. */
const isPriced = ({ status }: Outcome): boolean => status < 400 || status === 404;

function priceOf(request: ApiRequest, outcome: Outcome): Cost {
  const { status: answered, pricedAs: status = answered, itemsReturned } = outcome;
  const { endpoint, caller } = request.context;
  if (endpoint === null || caller === null || (status !== 200 && status !== 404)) return NO_COST;
  // HEAD asks for the same and gets no data.
  const returned = request.method === 'HEAD' ? 0 : itemsReturned;
  return costOf(endpoint.operation, status, endpoint.asksFor?.(request) ?? 1, returned);
}
