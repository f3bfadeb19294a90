import { Option, type Command } from 'commander';
import { UsageSummaries, type SummaryGrouping } from './usage-summary.js';
import { groupings } from '../arguments.js';
import type { RunWith } from '../command.js';
import { withExamples } from '../help.js';
import { DONE } from '../output.js';
import { settleLeftovers } from '../settle-leftovers.js';
import { daysOf, withDays, type GivenDays } from './days.js';
import { keyNames, requireKey } from './names.js';
import { printSummary, SUMMARY_FORMATS, type SummaryFormat } from './print-summary.js';

type Options = GivenDays & {
  readonly by: readonly SummaryGrouping[];
  readonly format: SummaryFormat;
  readonly key?: string;
};

export function addSummaryCommand(usage: Command, run: RunWith): void {
  const command = withDays(usage.command('summary').description('Sums up requests, units and credits'))
    .option('--by <what>', 'one or two of key, day, month, operation, comma-separated', groupings, ['key'])
    .option('--key <id>', 'only the usage of this key')
    .addOption(new Option('--format <format>', 'output format').choices(SUMMARY_FORMATS).default('table'))
    .option('--json', 'the same as --format json')
    .action(({ by, key, format, ...given }: Options, command: Command) =>
      run(
        command,
        async ({ database, dataFolder, output }) => {
          const days = daysOf(given);
          if (key !== undefined) await requireKey(database, key);
          await settleLeftovers(database, dataFolder);
          const lines = await new UsageSummaries(database).summary(days, by, key);
          printSummary(lines, by, await keyNames(database), output.json ? 'json' : format);
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
