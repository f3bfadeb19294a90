import { Injectable } from '@nestjs/common';
import type { OperationName } from '../model/operation.js';

/** Counts answers in plain numbers; labels and text are made only when metrics are asked for. */
@Injectable()
export class RequestCounts {
  readonly #counts = new Map<OperationName, Map<number, number>>();

  add(operation: OperationName, status: number): void {
    let byStatus = this.#counts.get(operation);
    if (byStatus === undefined) this.#counts.set(operation, (byStatus = new Map()));
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
  }

  *list(): Generator<{ operation: string; status: string; count: number }> {
    for (const [operation, byStatus] of this.#counts) {
      for (const [status, count] of byStatus) yield { operation, status: String(status), count };
    }
  }
}
