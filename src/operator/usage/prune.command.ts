import { Option, type Command } from 'commander';
import { pruneUsage, countPrunable } from './usage-export.js';
import type { Database } from '../../database/database.js';
import { DAY_MS, startOfDay } from '../../model/calendar-date.js';
import { formatDayNumber, parseDayNumber } from '../../receipts/usage-record.js';
import { parseDate } from '../arguments.js';
import type { CommandContext, CommandRunner } from '../command.js';
import { confirmDeletion, addDeletionOptions, type DeletionOptions } from '../confirm.js';
import { addExamples } from '../help.js';
import { OperatorError } from '../operator-error.js';
import { DONE, FAILED } from '../output.js';
import { settleOutageFiles } from '../settle-outage-files.js';
import { requireArchived } from './archive/require-archived.js';
import { countOf } from '../../model/counts.js';
import { describeTestRecords } from './record-count.js';
import { dismissWriters, explainOpenDays, addDismissOption, type DismissOptions } from './closed-days.js';

interface PruneOptions extends DeletionOptions, DismissOptions {
  readonly before: string;
  readonly archive?: readonly string[];
  readonly withoutArchive?: true;
}

export function addPruneCommand(usage: Command, run: CommandRunner): void {
  const described = usage
    .command('prune')
    .description('Deletes the usage records before a day; the daily totals are kept')
    .requiredOption('--before <date>', 'first day to keep; today at the latest', parseDate)
    .option(
      '--archive <folder>',
      'archive of a month with records to delete; it must match what was billed; may be repeated',
      (folder: string, previous: readonly string[] | undefined) => [...(previous ?? []), folder],
    )
    .addOption(new Option('--without-archive', 'delete records that are in no archive').conflicts('archive'));
  const command = addDeletionOptions(addDismissOption(described))
    .option('--json', 'machine-readable result')
    .action((options: PruneOptions, command: Command) => {
      requirePast(options.before);
      return run(command, (context) => prune(context, options), 'existing');
    });
  addExamples(
    command,
    'usage prune --before 2025-02-01 --dry-run',
    'usage prune --before 2025-02-01 --archive archives/2025-01 --yes',
    'usage prune --before 2025-02-01 --without-archive --yes',
  );
}

/** Rejects a day in the future. Records of today are still being written. */
function requirePast(before: string): void {
  const today = new Date().toISOString().slice(0, 10);
  if (before <= today) return;
  throw new OperatorError(
    'invalid_arguments',
    `--before ${before} is in the future, which would delete every record: name ${today} (UTC) or an earlier day`,
  );
}

/** @throws OperatorError if a process can still write or settle records of the days to delete */
async function requireClosedDays(database: Database, { before, dismiss }: PruneOptions): Promise<void> {
  const reason = await explainOpenDays(database, startOfDay(before) - 1, dismiss);
  if (reason === null) return;
  throw new OperatorError('failed', `the days before ${before} are not over; nothing was deleted: ${reason}`);
}

/** @throws OperatorError if records would be deleted, and no option says where they are archived */
function requireNamedArchives(
  { groups }: { readonly groups: number },
  { archive, withoutArchive, dryRun }: PruneOptions,
): void {
  if (groups === 0 || archive !== undefined || withoutArchive || dryRun) return;
  throw new OperatorError(
    'invalid_arguments',
    'name the archives of the records with --archive, or add --without-archive',
  );
}

async function prune(context: CommandContext, options: PruneOptions): Promise<number> {
  const { database, output, audit } = context;
  const { before, archive, dryRun } = options;
  const { dataFolder } = context;
  await settleOutageFiles(database, dataFolder, output);
  await requireClosedDays(database, options);
  const found = await countPrunable(database, parseDayNumber(before));
  requireNamedArchives(found, options);
  // After the options are checked, because it cannot be undone.
  if (!dryRun) await dismissWriters(database, options, audit);
  const [firstDay = null, lastDay = null] = [found.days[0], found.days.at(-1)].map((day) =>
    day === undefined ? null : formatDayNumber(day),
  );
  const report = (groups: number, records: number) => ({
    before,
    dry_run: dryRun === true,
    groups_deleted: groups,
    records_deleted: records,
    first_day: firstDay,
    last_day: lastDay,
  });
  if (found.groups === 0) {
    output.printResult(report(0, 0), `There are no records before ${before}.`);
    return DONE;
  }
  const archived = archive === undefined ? null : await requireArchived(database, found.days, archive);
  const others = archived === null ? '' : describeEmptyDays(firstDay ?? before, before, archived);
  const description = `${countOf(found.records, 'record')} of ${firstDay} to ${lastDay}${describeTestRecords(found.testRecords)}`;
  if (dryRun) {
    output.printResult(
      report(found.groups, found.records),
      `Would delete ${description}. The daily totals would be kept.${others}`,
    );
    return DONE;
  }
  if (!(await confirmDeletion(`Delete ${description}?`, options))) {
    output.printMessage('Nothing was deleted.');
    return FAILED;
  }
  await audit.start({ before });
  const groups = await pruneUsage(database, parseDayNumber(before));
  await audit.end({ before, groups_deleted: groups, records_deleted: found.records }, 'done');
  output.printResult(report(groups, found.records), `Deleted ${description}. The daily totals are kept.${others}`);
  return DONE;
}

/** Describes the days from `first` until before `end` that are in no archive: they have no records. */
function describeEmptyDays(first: string, end: string, archived: ReadonlySet<string>): string {
  const days: string[] = [];
  for (let at = startOfDay(first); at < startOfDay(end); at += DAY_MS) {
    const day = new Date(at).toISOString().slice(0, 'YYYY-MM-DD'.length);
    if (!archived.has(day)) days.push(day);
  }
  const [from, to] = [days[0], days.at(-1)];
  if (from === undefined) return '';
  return from === to
    ? ` ${from} is in no archive, and needs none: it has no records.`
    : ` ${countOf(days.length, 'day')} from ${from} to ${to} are in no archive, and need none: they have no records.`;
}
