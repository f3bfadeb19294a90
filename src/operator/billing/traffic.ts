import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import type { UsageRecord } from '../../receipts/usage-record.js';
import { dateOf, dayNumber } from '../../receipts/usage-record.js';

/** What answers were, as an operator asks. */
export const OUTCOMES = ['answered', 'not found', 'refused', 'limited', 'failed'] as const;

export type Outcome = (typeof OUTCOMES)[number];

function outcomeOf(status: number): Outcome {
  if (status >= 500) return 'failed';
  if (status === 429) return 'limited';
  if (status === 404) return 'not found';
  return status >= 400 ? 'refused' : 'answered';
}

/** Requests of one kind: how they were answered, and how fast. */
export class Traffic {
  readonly outcomes: Record<Outcome, number> = { answered: 0, 'not found': 0, refused: 0, limited: 0, failed: 0 };
  quotaUnits = 0;
  credits = 0;
  /** In microseconds, to three digits: as large however many requests there are. */
  readonly #durations: RecordableHistogram = createHistogram({ lowest: 1, highest: 3_600_000_000, figures: 3 });

  get requests(): number {
    return this.#durations.count;
  }

  /** What went wrong, on either side; a look-up that found nothing did not. */
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

  /** Milliseconds within which this share of requests was answered. @param percent above 0, up to 100 */
  percentile(percent: number): number {
    return this.requests === 0 ? 0 : this.#durations.percentile(percent) / 1000;
  }
}

/** A month's requests, in memory that does not grow with them, but with keys. */
export class MonthTraffic {
  readonly all = new Traffic();
  readonly days = new Map<string, Traffic>();
  readonly operations = new Map<string, Traffic>();
  /** By the key's ID, empty without a valid one. */
  readonly keys = new Map<string, Traffic>();

  add(record: UsageRecord): void {
    this.all.add(record);
    trafficOf(this.days, dateOf(dayNumber(record.occurred_at))).add(record);
    trafficOf(this.operations, record.operation).add(record);
    trafficOf(this.keys, record.key_id ?? '').add(record);
  }
}

function trafficOf(map: Map<string, Traffic>, name: string): Traffic {
  let traffic = map.get(name);
  if (traffic === undefined) map.set(name, (traffic = new Traffic()));
  return traffic;
}
