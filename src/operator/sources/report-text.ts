import type { SourcesReport } from '../../sources/report.js';
import { omittedText, type RejectsOptions } from '../inputs.js';

const number = (value: number): string => value.toLocaleString('en');

/** The report of a run as people read it. */
export function reportText(
  report: SourcesReport,
  seconds: number,
  whatBecame: string,
  options: RejectsOptions,
): string[] {
  const { read, mapped, merged, rejected, records, skipped, unresolved, never_seen, unknown_members } = report;
  const rate = number(Math.round(read / Math.max(seconds, 0.001)));
  const omitted = omittedText(report.rejects_omitted, options);
  const lines = [
    `${number(read)} documents read in ${seconds.toFixed(1)} s (${rate}/s), ${number(mapped)} of use, ${number(rejected)} rejected${omitted && ` (${omitted})`}`,
    `${whatBecame}: ${listOf(records) || 'nothing'}${merged === 0 ? '' : `; ${number(merged)} parts joined into them`}${report.updated === 0 ? '' : `; ${number(report.updated)} of them were there already`}`,
  ];
  if (Object.keys(skipped).length > 0) lines.push(`skipped: ${listOf(skipped)}`);
  if (unresolved.authors > 0) {
    lines.push(
      `authors without an ID: ${number(unresolved.authors)} (${unresolved.handles.slice(0, 5).join(', ')}): load their profiles, too`,
    );
  }
  if (report.ambiguous_handles > 0) lines.push(`handles with several IDs: ${number(report.ambiguous_handles)}`);
  for (const { kind, platform, member, of, load } of never_seen) {
    const which = platform === null ? kind : `${kind} of ${platform}`;
    lines.push(`${member}: 0 of ${number(of)} ${which}: load ${load}`);
  }
  if (Object.keys(unknown_members).length > 0) {
    lines.push(`members that are new to us, and were left out: ${listOf(unknown_members)}`);
  }
  return lines;
}

const listOf = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${number(count)} ${name}`)
    .join(', ');
