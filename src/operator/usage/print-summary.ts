import { stringify } from 'csv-stringify/sync';
import { sumUsage, type UsageSums } from '../../features/quota/usage-sums.js';
import type { SummaryGrouping, SummaryLine } from './usage-summary.js';
import { Output } from '../output.js';
import { formatTable } from '../table.js';

export const SUMMARY_FORMATS = ['table', 'csv', 'json'] as const;

export type SummaryFormat = (typeof SUMMARY_FORMATS)[number];

/** Prints a summary of usage with totals. @param extra members of the JSON output, before the lines */
export function printSummary(
  lines: readonly SummaryLine[],
  by: readonly SummaryGrouping[],
  names: ReadonlyMap<string, string>,
  format: SummaryFormat,
  extra: object = {},
): void {
  /** Returns the groups of a line by name; a key's name follows its ID. @param noKey stands for no valid key */
  const groupsOf = ({ group }: SummaryLine, noKey: { id: string | null; name: string | null }) =>
    by.flatMap((grouping, index): [string, string | null][] => {
      const text = group[index] ?? '';
      if (grouping === 'customer') return [[grouping, text === '' ? noKey.id : text]];
      if (grouping !== 'key') return [[grouping, text]];
      const [id, name] = text === '' ? [noKey.id, noKey.name] : [text, names.get(text) ?? ''];
      return [
        ['key', id],
        ['key_name', name],
      ];
    });
  const totals = sumUsage(lines);
  if (format === 'json') {
    const noKey = { id: null, name: null };
    const value = lines.map(({ group, ...sums }) => ({
      ...Object.fromEntries(groupsOf({ group, ...sums }, noKey)),
      ...sums,
    }));
    new Output(true).printResult({ ...extra, lines: value, totals }, '');
    return;
  }
  const columns = by.flatMap((grouping) => (grouping === 'key' ? ['key', 'key_name'] : [grouping]));
  if (format === 'csv') {
    const noKey = { id: '', name: '' };
    const rows = lines.map((line) => [...groupsOf(line, noKey).map(([, text]) => text), ...numbers(line)]);
    const head = [...columns, 'requests', 'quota_units', 'credits'];
    process.stdout.write(stringify([head, ...rows], { escape_formulas: true }));
    return;
  }
  const noKey = { id: '(no valid key)', name: '' };
  const rows = lines.map((line) => [...groupsOf(line, noKey).map(([, text]) => text ?? ''), ...numbers(line)]);
  const head = columns.map((name) => (name === 'key_name' ? 'NAME' : name.toUpperCase()));
  const last = ['TOTAL', ...columns.slice(1).map(() => ''), ...numbers(totals)];
  new Output(false).printResult(null, formatTable([...head, 'REQUESTS', 'UNITS', 'CREDITS'], [...rows, last], true));
}

const numbers = (sums: UsageSums): number[] => [sums.requests, sums.quota_units, sums.credits];
