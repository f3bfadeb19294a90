import type { UsageSums } from '../../features/quota/usage-sums.js';
import type { TrafficStats } from '../billing/traffic-stats.js';
import type { SummaryLine } from './usage-summary.js';

/** A row of a monthly report. */
export interface ReportRow extends UsageSums {
  /** Operation or key ID; empty: no valid key. */
  readonly name: string;
  /** Outcomes and latency; null if records of the row were pruned, because the daily totals do not have them. */
  readonly stats: TrafficStats | null;
}

/** Returns the row of a group without pruned records. */
export const rowOfStats = (name: string, stats: TrafficStats): ReportRow => ({
  name,
  requests: stats.requests,
  quota_units: stats.quotaUnits,
  credits: stats.credits,
  stats,
});

/**
 * Returns the rows of a month, from the daily totals if records were pruned.
 * @param traffic by name, from the records
 * @param totals by name, from the daily totals
 */
export function createReportRows(
  traffic: ReadonlyMap<string, TrafficStats>,
  totals: readonly SummaryLine[],
  isPruned: boolean,
): ReportRow[] {
  if (!isPruned) return Array.from(traffic, ([name, stats]) => rowOfStats(name, stats));
  return totals.map(({ group: [name = ''], ...sums }) => {
    const stats = traffic.get(name);
    return { name, ...sums, stats: stats?.requests === sums.requests ? stats : null };
  });
}
