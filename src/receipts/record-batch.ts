import type { AllowanceCheck, RecordAllowance } from './allowances.js';
import type { UsageGroup, UsageRecord } from './usage-record.js';

/** How a request was recorded. */
export interface Recording {
  /** Whether the record is durable; if not, answer 503. */
  readonly isDurable: boolean;
  /** For a durable record of a key with an allowance: whether it fitted, and what the month has left. */
  readonly allowanceCheck: AllowanceCheck | null;
}

/** How a group is answered: as intended, with 503, or not at all. */
export type Verdict = 'recorded' | 'unavailable' | 'unanswerable';

/** Result for a record of a key without an allowance, or without a key. */
export const RECORDED: Recording = { isDurable: true, allowanceCheck: null };

const UNAVAILABLE: Recording = { isDurable: false, allowanceCheck: null };

/** Thrown if a record may or may not be committed. Neither a 200 nor a 503 would be right, so the request gets no answer. */
export class OutcomeUnknownError extends Error {
  constructor() {
    super('neither the store nor the local disk confirmed the record');
  }
}

/** Records of requests with a valid key that are written together. */
export class RecordBatch {
  readonly records: UsageRecord[] = [];
  /** Null if no key has an allowance. */
  allowances: Map<UsageRecord, RecordAllowance> | null = null;
  /** Arrival of the oldest request, on the clock of `performance.now()`. */
  oldestAt = Infinity;
  readonly #waiting: ((recording: Recording | Promise<never>) => void)[] = [];

  /** Resolves once the batch is resolved. */
  add(record: UsageRecord, allowance: RecordAllowance | null): Promise<Recording> {
    this.records.push(record);
    if (allowance !== null) (this.allowances ??= new Map()).set(record, allowance);
    this.oldestAt = Math.min(this.oldestAt, performance.now() - record.duration_ms);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Resolves every request; only the first call has an effect. */
  resolve(verdict: Verdict, checks: ReadonlyMap<UsageRecord, AllowanceCheck>): void {
    for (const [index, resolve] of this.#waiting.splice(0).entries()) {
      if (verdict === 'unanswerable') resolve(Promise.reject(new OutcomeUnknownError()));
      else if (verdict === 'unavailable') resolve(UNAVAILABLE);
      else resolve(this.allowances === null ? RECORDED : this.#recordingOf(index, checks));
    }
  }

  #recordingOf(index: number, checks: ReadonlyMap<UsageRecord, AllowanceCheck>): Recording {
    const record = this.records[index];
    const allowanceCheck = record === undefined ? undefined : checks.get(record);
    return allowanceCheck === undefined ? RECORDED : { isDurable: true, allowanceCheck };
  }
}

/** Returns the group as answered 503, free of charge. Rejections stay unchanged, because they were answered before. */
export const asUnavailable = (group: UsageGroup): UsageGroup => ({
  ...group,
  records: group.records.map((record) =>
    record.key_id === null ? record : { ...record, status: 503, quota_units: 0, credits: 0, items_returned: 0 },
  ),
});
