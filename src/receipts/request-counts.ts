import { Injectable } from '@nestjs/common';
import { DurationHistogram } from '../model/duration-histogram.js';
import type { OperationName } from '../model/operation.js';

export type StatusClass = '2xx' | '3xx' | '4xx' | '5xx';

/** Limit that answered a request with 429. `minute`: any limit of a valid key, as for uploads and unread answers. */
export type LimitKind = 'minute' | 'wrong_keys';

interface OperationCounts {
  readonly byStatus: Map<number, number>;
  readonly durations: Map<StatusClass, DurationHistogram>;
}

/** Counts responses in plain numbers. Labels are created only when metrics are read. */
@Injectable()
export class RequestCounts {
  readonly #operations = new Map<OperationName, OperationCounts>();
  readonly limited: Record<LimitKind, number> = { minute: 0, wrong_keys: 0 };
  /** Times that responses waited for their record. */
  readonly recordWaits = new DurationHistogram();

  add(operation: OperationName, status: number, durationMs: number): void {
    let counts = this.#operations.get(operation);
    if (counts === undefined) {
      counts = { byStatus: new Map(), durations: new Map() };
      this.#operations.set(operation, counts);
    }
    counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1);
    const statusClass = classOf(status);
    let durations = counts.durations.get(statusClass);
    if (durations === undefined) counts.durations.set(statusClass, (durations = new DurationHistogram()));
    durations.observe(durationMs);
  }

  *statuses(): Generator<{ operation: string; status: string; count: number }> {
    for (const [operation, { byStatus }] of this.#operations) {
      for (const [status, count] of byStatus) yield { operation, status: String(status), count };
    }
  }

  *durations(): Generator<{ operation: string; status: StatusClass; histogram: DurationHistogram }> {
    for (const [operation, { durations }] of this.#operations) {
      for (const [status, histogram] of durations) yield { operation, status, histogram };
    }
  }
}

function classOf(status: number): StatusClass {
  if (status >= 500) return '5xx';
  if (status >= 400) return '4xx';
  return status >= 300 ? '3xx' : '2xx';
}
