import type { Command } from 'commander';
import { pruneUsage } from '../../features/quota/usage-export.js';
import { dayNumberOf } from '../../receipts/usage-record.js';
import { date } from '../arguments.js';
import type { RunWith } from '../command.js';
import { withExamples } from '../help.js';
import { DONE } from '../output.js';

export function addPruneCommand(usage: Command, run: RunWith): void {
  const command = usage
    .command('prune')
    .description('Deletes the records before a day; the daily totals stay')
    .requiredOption('--before <date>', 'the first day that is kept', date)
    .option('--json', 'machine-readable result')
    .action(({ before }: { before: string }, command: Command) =>
      run(
        command,
        async ({ database, output }) => {
          const groups = await pruneUsage(database, dayNumberOf(before));
          output.result({ before, groups_deleted: groups }, `Deleted the records before ${before} (${groups} groups).`);
          return DONE;
        },
        'existing',
      ),
    );
  withExamples(command, 'usage prune --before 2025-01-01');
}
