import { formatCount } from '../model/counts.js';
import type { ImportOutcome } from './import/importer.js';
import type { RejectionReason } from './import/reasons.js';
import { formatOmitted, type RejectsOptions } from './input-files.js';

/** Result of the import of a file, all of it, even if an interrupted import loaded its beginning. */
export interface FileReport extends ImportOutcome {
  readonly file: string;
  /** The last line that an interrupted import had loaded; 0: it started at the beginning. */
  readonly resumed_after: number;
  /** The file with the rejected lines; null without any. */
  readonly rejected_file: string | null;
  /** Rejected lines that were not written, because of `--max-rejects`. */
  readonly rejects_omitted: number;
  /** The most frequent reasons for rejection. */
  readonly reasons: readonly RejectionReason[];
  readonly seconds: number;
}

interface ImportReportOptions extends RejectsOptions {
  readonly dryRun?: boolean;
}

/** Formats the report of a file for people. @param loadedNow lines that this command loaded */
export function formatReport(report: FileReport, loadedNow: number, options: ImportReportOptions): string[] {
  const { file, loaded, rejected, resumed_after, rejected_file, rejects_omitted, reasons, seconds } = report;
  const { dryRun } = options;
  const rate = formatCount(Math.round(loadedNow / Math.max(seconds, 0.001)));
  const resumed = resumed_after === 0 ? '' : ` in all, resumed after line ${formatCount(resumed_after)},`;
  const good = dryRun
    ? `${formatCount(loaded)} would load`
    : `${formatCount(loaded)} loaded${resumed} in ${seconds.toFixed(1)} s (${rate}/s)`;
  const bad = rejected === 0 ? '' : `, ${formatCount(rejected)} ${dryRun ? 'would be ' : ''}rejected`;
  const details = [rejected_file === null ? '' : `see ${rejected_file}`, formatOmitted(rejects_omitted, options)];
  const where = details.join('') === '' ? '' : ` (${details.filter((detail) => detail !== '').join('; ')})`;
  return [`${file}: ${good}${bad}${where}`, ...formatReasons(reasons, rejected)];
}

/** Formats the most frequent reasons, and the number of rejected lines with others. */
export function formatReasons(reasons: readonly RejectionReason[], rejected: number): string[] {
  const others = rejected - reasons.reduce((sum, { lines }) => sum + lines, 0);
  return [
    ...reasons.map(({ reason, lines }) => `  ${formatCount(lines)} × ${reason}`),
    ...(others > 0 ? [`  ${formatCount(others)} for other reasons`] : []),
  ];
}
