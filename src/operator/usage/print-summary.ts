import { stringify } from 'csv-stringify/sync';
import { sumUsage, type UsageSums } from '../../features/quota/usage-report.js';
import type { SummaryGrouping, SummaryLine } from './usage-summary.js';
import { Output } from '../output.js';
import { table } from '../table.js';

export const SUMMARY_FORMATS = ['table', 'csv', 'json'] as const;

export type SummaryFormat = (typeof SUMMARY_FORMATS)[number];

/** Prints what was used, with totals. @param more members of the JSON that stand before the lines */
export function printSummary(
  lines: readonly SummaryLine[],
  by: readonly SummaryGrouping[],
  names: ReadonlyMap<string, string>,
  format: SummaryFormat,
  more: object = {},
): void {
  /** What a line is about, the key's name beside its ID. */
  const about = ({ group }: SummaryLine, unknown: { id: string | null; name: string | null }) =>
    by.flatMap((grouping, nth): [string, string | null][] => {
      const text = group[nth] ?? '';
      if (grouping !== 'key') return [[grouping, text]];
      const [id, name] = text === '' ? [unknown.id, unknown.name] : [text, names.get(text) ?? ''];
      return [
        ['key', id],
        ['key_name', name],
      ];
    });
  const totals = sumUsage(lines);
  if (format === 'json') {
    const nobody = { id: null, name: null };
    const value = lines.map(({ group, ...sums }) => ({
      ...Object.fromEntries(about({ group, ...sums }, nobody)),
      ...sums,
    }));
    new Output(true).result({ ...more, lines: value, totals }, '');
    return;
  }
  const columns = by.flatMap((grouping) => (grouping === 'key' ? ['key', 'key_name'] : [grouping]));
  if (format === 'csv') {
    const rows = lines.map((line) => [...about(line, { id: '', name: '' }).map(([, text]) => text), ...numbers(line)]);
    const head = [...columns, 'requests', 'quota_units', 'credits'];
    process.stdout.write(stringify([head, ...rows], { escape_formulas: true }));
    return;
  }
  const nobody = { id: '(no valid key)', name: '' };
  const rows = lines.map((line) => [...about(line, nobody).map(([, text]) => text ?? ''), ...numbers(line)]);
  const head = columns.map((name) => (name === 'key_name' ? 'NAME' : name.toUpperCase()));
  const last = ['TOTAL', ...columns.slice(1).map(() => ''), ...numbers(totals)];
  new Output(false).result(null, table([...head, 'REQUESTS', 'UNITS', 'CREDITS'], [...rows, last], true));
}

const numbers = (sums: UsageSums): number[] => [sums.requests, sums.quota_units, sums.credits];
