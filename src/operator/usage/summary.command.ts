import { Option, type Command } from 'commander';
import { stringify } from 'csv-stringify/sync';
import {
  sumUsage,
  UsageReports,
  type SummaryGrouping,
  type SummaryLine,
  type UsageSums,
} from '../../features/quota/usage-report.js';
import { groupings } from '../arguments.js';
import type { RunWith } from '../command.js';
import { withExamples } from '../help.js';
import { DONE, Output } from '../output.js';
import { settleLeftovers } from '../settle-leftovers.js';
import { table } from '../table.js';
import { daysOf, withDays, type GivenDays } from './days.js';
import { keyNames, requireKey } from './names.js';

type Format = 'table' | 'csv' | 'json';

type Options = GivenDays & { readonly by: readonly SummaryGrouping[]; readonly format: Format; readonly key?: string };

export function addSummaryCommand(usage: Command, run: RunWith): void {
  const command = withDays(usage.command('summary').description('Sums up requests, units and credits'))
    .option('--by <what>', 'one or two of key, day, month, operation, comma-separated', groupings, ['key'])
    .option('--key <id>', 'only the usage of this key')
    .addOption(new Option('--format <format>', 'how to print it').choices(['table', 'csv', 'json']).default('table'))
    .option('--json', 'the same as --format json')
    .action(({ by, key, format, ...given }: Options, command: Command) =>
      run(
        command,
        async ({ database, dataFolder, output }) => {
          const days = daysOf(given);
          if (key !== undefined) await requireKey(database, key);
          await settleLeftovers(database, dataFolder);
          const lines = await new UsageReports(database).summary(days, by, key);
          print(lines, by, await keyNames(database), output.json ? 'json' : format);
          return DONE;
        },
        'existing',
      ),
    );
  withExamples(
    command,
    'usage summary --from 2026-01-01 --to 2026-01-31',
    'usage summary --from 2026-01-01 --to 2026-12-31 --by month,key --format csv',
  );
}

function print(
  lines: readonly SummaryLine[],
  by: readonly SummaryGrouping[],
  names: ReadonlyMap<string, string>,
  format: Format,
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
    new Output(true).result({ lines: value, totals }, '');
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
