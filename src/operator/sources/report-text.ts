import type { SourcesReport } from '../../sources/report.js';
import { countOf, formatCount } from '../../model/counts.js';
import { formatReasons } from '../import-report.js';
import type { RejectionReason } from '../import/reasons.js';
import { formatOmitted, type RejectsOptions } from '../input-files.js';

interface SourceReportOptions extends RejectsOptions {
  readonly dryRun?: boolean;
  /** Whether a mapping names the columns, so that no other response can be loaded for a member. */
  readonly isTable: boolean;
}

/** Singular and plural of the kinds of records. */
const KIND_NAMES: Readonly<Record<string, readonly [string, string]>> = {
  profiles: ['profile', 'profiles'],
  content: ['content item', 'content items'],
  games: ['game', 'games'],
  socials: ['creator with links', 'creators with links'],
};

/** Formats the report of a run. @param action what was done with the records, such as `loaded` */
export function formatReport(
  report: SourcesReport,
  reasons: readonly RejectionReason[],
  seconds: number,
  action: string,
  options: SourceReportOptions,
): string[] {
  const { read, mapped, merged, rejected, records, updated, skipped, unresolved, never_seen, unknown_members } = report;
  const rate = formatCount(Math.round(read / Math.max(seconds, 0.001)));
  const omitted = formatOmitted(report.rejects_omitted, options);
  const loaded = Object.entries(records).map(([kind, count]) => countOf(count, ...(KIND_NAMES[kind] ?? [kind, kind])));
  const parts = [
    `${action}: ${loaded.join(', ') || 'nothing'}`,
    ...(merged === 0 ? [] : [`${countOf(merged, 'part')} of other documents merged into them`]),
    ...(updated === 0 ? [] : [`${formatCount(updated)} of them ${options.dryRun ? 'exist' : 'existed'} already`]),
  ];
  const lines = [
    `${countOf(read, 'document')} read in ${seconds.toFixed(1)} s (${rate}/s), ${formatCount(mapped)} mapped, ${formatCount(rejected)} rejected${omitted && ` (${omitted})`}`,
    ...formatReasons(reasons, rejected),
    parts.join('; '),
  ];
  if (Object.keys(skipped).length > 0) lines.push(`skipped: ${formatCounts(skipped)}`);
  if (unresolved.authors > 0) {
    lines.push(
      `authors without an ID: ${formatCount(unresolved.authors)} (${unresolved.handles.slice(0, 5).join(', ')}): load their profiles as well`,
    );
  }
  if (report.ambiguous_handles > 0) lines.push(`handles with several IDs: ${formatCount(report.ambiguous_handles)}`);
  const missing = new Map<string, string[]>();
  for (const { kind, platform, member, load } of never_seen) {
    const [singular] = KIND_NAMES[kind] ?? [kind];
    const owner = platform === null ? singular : `${singular} of ${platform}`;
    missing.set(owner, [...(missing.get(owner) ?? []), options.isTable ? member : `${member} (load ${load})`]);
  }
  for (const [owner, members] of missing) {
    lines.push(`Members that no ${owner} in these files has: ${members.join(', ')}`);
  }
  if (Object.keys(unknown_members).length > 0) {
    lines.push(`unknown members, which were ignored: ${formatCounts(unknown_members)}`);
  }
  return lines;
}

const formatCounts = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${formatCount(count)} × ${name}`)
    .join(', ');
