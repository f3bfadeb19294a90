import type { Command } from 'commander';
import { pruneUsage, recordsBefore } from '../../features/quota/usage-export.js';
import { dayNumberOf } from '../../receipts/usage-record.js';
import { date } from '../arguments.js';
import type { CommandContext, RunWith } from '../command.js';
import { isConfirmed, withCaution, type Caution } from '../confirm.js';
import { withExamples } from '../help.js';
import { OperatorError } from '../operator-error.js';
import { DONE, FAILED } from '../output.js';

export function addPruneCommand(usage: Command, run: RunWith): void {
  const command = withCaution(
    usage
      .command('prune')
      .description('Deletes the records before a day; the daily totals stay')
      .requiredOption('--before <date>', 'the first day that is kept; today at the latest', date),
  )
    .option('--json', 'machine-readable result')
    .action(({ before, ...caution }: Caution & { before: string }, command: Command) => {
      requirePast(before);
      return run(command, (context) => prune(context, before, caution), 'existing');
    });
  withExamples(command, 'usage prune --before 2025-01-01 --dry-run', 'usage prune --before 2025-01-01 --yes');
}

/** Records of today are still being written. */
function requirePast(before: string): void {
  const today = new Date().toISOString().slice(0, 10);
  if (before <= today) return;
  throw new OperatorError(
    'invalid_arguments',
    `--before ${before} is in the future, so every record would go: name ${today} (UTC) or an earlier day`,
  );
}

async function prune({ database, output }: CommandContext, before: string, caution: Caution): Promise<number> {
  const found = await recordsBefore(database, dayNumberOf(before));
  const report = (groups: number, records: number) => ({
    before,
    dry_run: caution.dryRun === true,
    groups_deleted: groups,
    records_deleted: records,
    first_day: found.firstDay,
    last_day: found.lastDay,
  });
  if (found.groups === 0) {
    output.result(report(0, 0), `There are no records before ${before}.`);
    return DONE;
  }
  const what = `${found.records.toLocaleString('en')} records of ${found.firstDay} to ${found.lastDay}`;
  if (caution.dryRun) {
    output.result(report(found.groups, found.records), `Would delete ${what}. The daily totals would stay.`);
    return DONE;
  }
  if (!(await isConfirmed(`Delete ${what}?`, caution))) {
    output.say('Nothing was deleted.');
    return FAILED;
  }
  const groups = await pruneUsage(database, dayNumberOf(before));
  output.result(report(groups, found.records), `Deleted ${what}. The daily totals stay.`);
  return DONE;
}
