import type { RejectionReason } from '../import/reasons.js';
import { countOf, formatCount } from '../../model/counts.js';
import type { CallRunner } from './call-runner.js';
import type { Spent } from './collect-store.js';
import type { CreatorCounts } from './status.js';

/** Machine-readable result of a run. */
export interface CollectReport {
  readonly source: string;
  readonly calls: { readonly sent: number; readonly answered: number; readonly failed: number };
  readonly units: number;
  /** Units that all collectors have spent on this day of the quota. */
  readonly units_today: number;
  readonly budget: number | null;
  readonly budget_used_up: boolean;
  readonly records: Readonly<Record<string, number>>;
  readonly rejected: number;
  readonly reasons: readonly RejectionReason[];
  /** Null for games. */
  readonly creators: CreatorCounts | null;
  readonly seconds: number;
}

/** Creates the report of a run. */
export function createReport(
  source: string,
  { sent, answered, failed, units, written, rejected, reasons }: CallRunner,
  more: { spent: Spent; budget: number | null; isOverBudget: boolean; creators: CreatorCounts | null; seconds: number },
): CollectReport {
  return {
    source,
    calls: { sent, answered, failed },
    units,
    units_today: more.spent.units,
    budget: more.budget,
    budget_used_up: more.isOverBudget,
    records: Object.fromEntries([...written].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    rejected,
    reasons: reasons.mostFrequent(),
    creators: more.creators,
    seconds: more.seconds,
  };
}

/** Formats the report for people. */
export function formatReport(report: CollectReport): string[] {
  const { source, calls, units, units_today, budget, records, rejected, reasons, creators, seconds } = report;
  const kinds = Object.entries(records).map(([kind, count]) => `${formatCount(count)} ${kind}`);
  const lines = [
    `${source}: ${countOf(calls.answered, 'call')} answered in ${seconds.toFixed(1)} s, ${countOf(units, 'unit')}; stored ${kinds.join(', ') || 'nothing'}`,
  ];
  if (calls.failed > 0)
    lines.push(`  ${countOf(calls.failed, 'call')} failed in all attempts; run the same command again`);
  if (rejected > 0) lines.push(`  ${formatCount(rejected)} rejected`);
  for (const { reason, lines: count } of reasons) lines.push(`  ${formatCount(count)} × ${reason}`);
  if (report.budget_used_up)
    lines.push(
      `  the budget of ${formatCount(budget ?? 0)} units is used up (${formatCount(units_today)} spent); run the command again tomorrow`,
    );
  if (creators !== null) lines.push(`  ${formatCreators(creators)}`);
  return lines;
}

/** Formats the numbers of creators in one line. */
export const formatCreators = ({ creators, due, late, gone, missing }: CreatorCounts): string =>
  `${countOf(creators, 'creator')}: ${formatCount(due)} due, ${formatCount(late)} late, ${formatCount(missing)} missing, ${formatCount(gone)} gone`;
