import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import type { UsageRecord } from '../../receipts/usage-record.js';
import { formatDayNumber, toDayNumber } from '../../receipts/usage-record.js';

/** Classes of responses by HTTP status. */
export const RESPONSE_CLASSES = ['answered', 'not found', 'refused', 'limited', 'failed'] as const;

export type ResponseClass = (typeof RESPONSE_CLASSES)[number];

function outcomeOf(status: number): ResponseClass {
  if (status >= 500) return 'failed';
  if (status === 429) return 'limited';
  if (status === 404) return 'not found';
  return status >= 400 ? 'refused' : 'answered';
}

/** Counts and latencies of a group of requests. */
export class TrafficStats {
  readonly outcomes: Record<ResponseClass, number> = { answered: 0, 'not found': 0, refused: 0, limited: 0, failed: 0 };
  quotaUnits = 0;
  credits = 0;
  /** Microseconds, to three significant digits. Its size does not depend on the number of requests. */
  readonly #durations: RecordableHistogram = createHistogram({ lowest: 1, highest: 3_600_000_000, figures: 3 });

  get requests(): number {
    return this.#durations.count;
  }

  /** Errors of the client or the service. A 404 is not an error. */
  get errors(): number {
    const { refused, limited, failed } = this.outcomes;
    return refused + limited + failed;
  }

  add(record: UsageRecord): void {
    this.outcomes[outcomeOf(record.status)] += 1;
    this.quotaUnits += record.quota_units;
    this.credits += record.credits;
    this.#durations.record(Math.max(1, Math.round(record.duration_ms * 1000)));
  }

  /** Returns a percentile of the latency in milliseconds. @param percent above 0, up to 100 */
  percentile(percent: number): number {
    return this.requests === 0 ? 0 : this.#durations.percentile(percent) / 1000;
  }
}

/** Traffic of a month by day, operation and key. Its memory grows with the number of keys, not of requests. */
export class MonthTraffic {
  readonly all = new TrafficStats();
  readonly days = new Map<string, TrafficStats>();
  readonly operations = new Map<string, TrafficStats>();
  /** By key ID; empty: no valid key. */
  readonly keys = new Map<string, TrafficStats>();

  add(record: UsageRecord): void {
    this.all.add(record);
    trafficOf(this.days, formatDayNumber(toDayNumber(record.occurred_at))).add(record);
    trafficOf(this.operations, record.operation).add(record);
    trafficOf(this.keys, record.key_id ?? '').add(record);
  }
}

function trafficOf(map: Map<string, TrafficStats>, name: string): TrafficStats {
  let traffic = map.get(name);
  if (traffic === undefined) map.set(name, (traffic = new TrafficStats()));
  return traffic;
}
