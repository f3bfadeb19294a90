import { Option, type Command } from 'commander';
import { sumUsage, UsageReports, type SummaryGrouping } from '../../features/quota/usage-report.js';
import type { RunWith } from '../command.js';
import { withExamples } from '../help.js';
import { DONE } from '../output.js';
import { settleLeftovers } from '../settle-leftovers.js';
import { table } from '../table.js';
import { daysOf, withDays, type GivenDays } from './days.js';

export function addSummaryCommand(usage: Command, run: RunWith): void {
  const command = withDays(usage.command('summary').description('Sums up requests, units and credits'))
    .addOption(new Option('--by <what>', 'what to sum up by').choices(['key', 'day', 'operation']).default('key'))
    .option('--json', 'machine-readable result')
    .action(({ by, ...given }: GivenDays & { by: SummaryGrouping }, command: Command) =>
      run(
        command,
        async ({ database, dataFolder, output }) => {
          const days = daysOf(given);
          await settleLeftovers(database, dataFolder);
          const lines = await new UsageReports(database).summary(days, by);
          const totals = sumUsage(lines);
          const rows = lines.map((line) => [line.group === '' ? '(no valid key)' : line.group, ...numbers(line)]);
          output.result(
            { lines: lines.map(({ group, ...sums }) => ({ [by]: group === '' ? null : group, ...sums })), totals },
            table([by.toUpperCase(), 'REQUESTS', 'UNITS', 'CREDITS'], [...rows, ['TOTAL', ...numbers(totals)]], true),
          );
          return DONE;
        },
        'existing',
      ),
    );
  withExamples(command, 'usage summary --from 2026-01-01 --to 2026-01-31');
}

const numbers = (sums: { requests: number; quota_units: number; credits: number }): number[] => [
  sums.requests,
  sums.quota_units,
  sums.credits,
];
