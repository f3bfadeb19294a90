import { Option, type Command } from 'commander';
import { UsageSummaries, type SummaryGrouping } from './usage-summary.js';
import { parseGroupings } from '../arguments.js';
import type { CommandRunner } from '../command.js';
import { addExamples } from '../help.js';
import { DONE } from '../output.js';
import { settleOutageFiles } from '../settle-outage-files.js';
import { parseDayRange, addDayRangeOptions, type DayRangeOptions } from './day-range.js';
import { listKeyNames, requireKey } from './key-names.js';
import { printSummary, SUMMARY_FORMATS, type SummaryFormat } from './print-summary.js';

type SummaryOptions = DayRangeOptions & {
  readonly by: readonly SummaryGrouping[];
  readonly format: SummaryFormat;
  readonly key?: string;
};

export function addSummaryCommand(usage: Command, run: CommandRunner): void {
  const command = addDayRangeOptions(usage.command('summary').description('Sums up requests, units and credits'))
    .option('--by <what>', 'one or two of key, customer, day, month, operation, comma-separated', parseGroupings, [
      'key',
    ])
    .option('--key <id>', 'only the usage of this key')
    .addOption(new Option('--format <format>', 'output format').choices(SUMMARY_FORMATS).default('table'))
    .option('--json', 'the same as --format json')
    .action(({ by, key, format, ...given }: SummaryOptions, command: Command) =>
      run(
        command,
        async ({ database, dataFolder, output }) => {
          const days = parseDayRange(given);
          if (key !== undefined) await requireKey(database, key);
          await settleOutageFiles(database, dataFolder, output);
          const lines = await new UsageSummaries(database).sum(days, by, key === undefined ? undefined : [key]);
          printSummary(lines, by, await listKeyNames(database), output.json ? 'json' : format);
          return DONE;
        },
        'existing',
      ),
    );
  addExamples(
    command,
    'usage summary --month 2026-01',
    'usage summary --from 2026-01-01 --to 2026-01-31 --by customer',
    'usage summary --from 2026-01-01 --to 2026-12-31 --by month,key --format csv',
  );
}
