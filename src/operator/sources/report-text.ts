import type { SourcesReport } from '../../sources/report.js';
import { formatOmitted, type RejectsOptions } from '../input-files.js';

const formatCount = (value: number): string => value.toLocaleString('en');

/** Formats the report of a run. @param action what was done with the records, such as `loaded` */
export function formatReport(
  report: SourcesReport,
  seconds: number,
  action: string,
  options: RejectsOptions,
): string[] {
  const { read, mapped, merged, rejected, records, skipped, unresolved, never_seen, unknown_members } = report;
  const rate = formatCount(Math.round(read / Math.max(seconds, 0.001)));
  const omitted = formatOmitted(report.rejects_omitted, options);
  const lines = [
    `${formatCount(read)} documents read in ${seconds.toFixed(1)} s (${rate}/s), ${formatCount(mapped)} mapped, ${formatCount(rejected)} rejected${omitted && ` (${omitted})`}`,
    `${action}: ${formatCounts(records) || 'nothing'}${merged === 0 ? '' : `; ${formatCount(merged)} fragments merged into them`}${report.updated === 0 ? '' : `; ${formatCount(report.updated)} of them updated existing records`}`,
  ];
  if (Object.keys(skipped).length > 0) lines.push(`skipped: ${formatCounts(skipped)}`);
  if (unresolved.authors > 0) {
    lines.push(
      `authors without an ID: ${formatCount(unresolved.authors)} (${unresolved.handles.slice(0, 5).join(', ')}): load their profiles as well`,
    );
  }
  if (report.ambiguous_handles > 0) lines.push(`handles with several IDs: ${formatCount(report.ambiguous_handles)}`);
  for (const { kind, platform, member, of, load } of never_seen) {
    const which = platform === null ? kind : `${kind} of ${platform}`;
    lines.push(`${member}: 0 of ${formatCount(of)} ${which}: load ${load}`);
  }
  if (Object.keys(unknown_members).length > 0) {
    lines.push(`unknown members, which were ignored: ${formatCounts(unknown_members)}`);
  }
  return lines;
}

const formatCounts = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${formatCount(count)} ${name}`)
    .join(', ');
