import type { RejectionReasons } from '../import/reasons.js';
import { costNumber, type Tokens } from './cost.js';
import type { EnrichSettings } from './enrich-settings.js';
import type { RunResult } from './run.js';

/** Creates the report of a run, as `--json` prints it. */
export function createReport(
  { end, counts }: RunResult,
  { tokens, cost }: { readonly tokens: Tokens; readonly cost: number },
  { model, host, prices }: EnrichSettings,
  reasons: RejectionReasons,
) {
  const none = { made: 0, restored: 0, unchanged: 0, empty: 0, rejected: 0, rejected_before: 0, failed: 0, gone: 0 };
  return {
    model,
    host,
    ...none,
    ...counts,
    limit_reached: end === 'limit',
    input_tokens: tokens.input,
    output_tokens: tokens.output,
    cost: prices === null ? null : costNumber(cost),
    reasons: reasons.mostFrequent().map(({ reason, lines }) => ({ reason, creators: lines })),
  };
}

export type RunReport = ReturnType<typeof createReport>;
