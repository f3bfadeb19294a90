import { countOf, formatCount } from '../../model/counts.js';
import type { RunReport } from './run-report.js';
import type { Estimate } from './estimate.js';

/** Formats an estimate as lines. @param maxCost limit of the run; null without one */
export function formatEstimate(estimate: Estimate, maxCost: number | null): string[] {
  const { creators, unchanged, empty, rejected_before, input_tokens, output_tokens, cost, most_tokens, most_cost } =
    estimate;
  const usual = `about ${countOf(input_tokens, 'input token')} and ${countOf(output_tokens, 'output token')}`;
  const price = cost === null ? '' : `, cost ${cost}`;
  const advice = cost === null ? ['Set ENRICH_INPUT_PRICE and ENRICH_OUTPUT_PRICE to see the cost.'] : [];
  const covered = cost === null || maxCost === null || cost <= maxCost ? null : Math.floor((creators * maxCost) / cost);
  const limit = covered === null ? [] : [`A limit of ${maxCost} pays for about ${formatCount(covered)} of them.`];
  const most = `at most ${countOf(most_tokens, 'token')}${most_cost === null ? '' : `, cost ${most_cost}`}`;
  return [
    `Would call the model for ${countOf(creators, 'creator')}: ${usual}${price}; ${most}. Each answer to repair needs another call, which can cost more than the first.`,
    ...limit,
    `No call for ${formatCount(unchanged)} unchanged, ${formatCount(empty)} without any text, ${formatCount(rejected_before)} rejected before.`,
    ...advice,
  ];
}

/** Formats the report of a run as lines. */
export function formatRun(report: RunReport, seconds: number): string[] {
  const { made, restored, unchanged, empty, rejected, rejected_before, failed, gone, cost, reasons } = report;
  const parts = [
    [restored, 'stored again from the journal'],
    [unchanged, 'unchanged'],
    [empty, 'without any text'],
    [rejected, 'rejected'],
    [rejected_before, 'rejected before'],
    [failed, 'failed'],
    [gone, 'removed meanwhile'],
  ] as const;
  const others = parts.flatMap(([count, what]) => (count === 0 ? [] : [`${formatCount(count)} ${what}`]));
  const price = cost === null ? '' : `, cost ${cost}`;
  return [
    `Made ${countOf(made, 'analysis', 'analyses')} in ${seconds.toFixed(1)} s${others.map((text) => `, ${text}`).join('')}.`,
    `Used ${countOf(report.input_tokens, 'input token')} and ${countOf(report.output_tokens, 'output token')}${price}.`,
    ...(report.limit_reached
      ? ['Creators are left: the limit has too little for the most that the next one can use (see --dry-run).']
      : []),
    ...reasons.map(({ reason, creators }) => `  ${formatCount(creators)}: ${reason}`),
  ];
}
