import { join } from 'node:path';
import { Option, type Command } from 'commander';
import type { Database } from '../../database/database.js';
import type { RecordGrouping } from './usage-summary.js';
import { parseRecordGroupings, parseMonth } from '../arguments.js';
import { calendarMonth, type CalendarMonth } from '../billing/month.js';
import type { StandaloneContext, CommandContext, CommandRunner } from '../command.js';
import { addExamples } from '../help.js';
import { MANIFEST_NAME } from '../manifest-file.js';
import { OperatorError } from '../operator-error.js';
import { DONE } from '../output.js';
import { settleOutageFiles } from '../settle-outage-files.js';
import { stopSignal } from '../stop-signal.js';
import { readArchive } from './archive/read-archive.js';
import { writeArchive } from './archive/write-archive.js';
import { dismissWriters, explainOpenDays, addDismissOption, type DismissOptions } from './closed-days.js';
import { countOf } from '../../model/counts.js';
import { describeTestRecords } from './record-count.js';
import { printSummary, SUMMARY_FORMATS, type SummaryFormat } from './print-summary.js';

interface ArchiveOptions extends DismissOptions {
  readonly month?: string;
  readonly out?: string;
  readonly check?: string;
  readonly by?: readonly RecordGrouping[];
  readonly format?: SummaryFormat;
}

export function addArchiveCommand(usage: Command, run: CommandRunner): void {
  const command = addDismissOption(
    usage
      .command('archive')
      .description('Writes the usage records of a month to files, or verifies such an archive and sums it up')
      .option('--month <month>', 'UTC month that has ended, such as 2026-01', parseMonth)
      .option('--out <folder>', 'folder to create; nothing is overwritten'),
  )
    .addOption(
      new Option('--check <folder>', 'verify this archive; needs no database').conflicts(['month', 'out', 'dismiss']),
    )
    .option(
      '--by <what>',
      'with --check: one or two of key, day, month, operation (default: key)',
      parseRecordGroupings,
    )
    .addOption(new Option('--format <format>', 'with --check: output format').choices(SUMMARY_FORMATS))
    .option('--json', 'machine-readable result')
    .action(async ({ month: name, out, check, by, format, ...dismissal }: ArchiveOptions, command: Command) => {
      if (check !== undefined) {
        return run.withoutDatabase(command, (context) => verify(context, check, by ?? ['key'], format ?? 'table'));
      }
      if (name === undefined || out === undefined) {
        command.error('error: name --month and --out to create an archive, or --check to verify one');
      }
      if (by !== undefined || format !== undefined) command.error('error: --by and --format need --check');
      return run(command, (context) => archive(context, calendarMonth(name), out, dismissal), 'existing');
    });
  addExamples(
    command,
    'usage archive --month 2026-01 --out archives/2026-01',
    'usage archive --check archives/2026-01 --by key,operation',
  );
}

/** Rejects a month that can still get records: an archive is final, so an incomplete one could not be replaced. */
async function requireClosedMonth(database: Database, { month: name, lastMs }: CalendarMonth): Promise<void> {
  const reason = await explainOpenDays(database, lastMs);
  if (reason === null) return;
  throw new OperatorError('failed', `${name} is not over, and an archive is final: ${reason}`);
}

async function archive(
  { database, dataFolder, output, audit }: CommandContext,
  days: CalendarMonth,
  folder: string,
  dismissal: DismissOptions,
): Promise<number> {
  await settleOutageFiles(database, dataFolder, output);
  await dismissWriters(database, dismissal, audit);
  await requireClosedMonth(database, days);
  const { manifest, testRecords } = await writeArchive(database, days, folder, stopSignal());
  const { files, totals } = manifest;
  output.printResult(
    {
      month: days.month,
      files: [...files.map(({ name }) => name), MANIFEST_NAME].map((name) => join(folder, name)),
      totals,
    },
    `Wrote ${folder}: ${countOf(totals.records + testRecords, 'record')} of ${days.month}${describeTestRecords(testRecords)}. ` +
      `Before you prune them, run: creator-data usage archive --check ${folder}`,
  );
  return DONE;
}

async function verify(
  { output }: StandaloneContext,
  folder: string,
  by: readonly RecordGrouping[],
  format: SummaryFormat,
): Promise<number> {
  const { manifest, lines, testRecords } = await readArchive(folder, by);
  const { month: name, created_at, files, keys, totals } = manifest;
  const names = new Map(keys.map((key) => [key.id, key.name]));
  const isJson = output.json || format === 'json';
  printSummary(lines, by, names, isJson ? 'json' : format, { month: name, created_at, files: files.length });
  if (!isJson)
    output.printMessage(
      `${folder} is complete: ${countOf(files.length, 'day')} of ${name}, archived at ${created_at}. ` +
        `It has ${countOf(totals.records + testRecords, 'record')}${describeTestRecords(testRecords)}.`,
    );
  return DONE;
}
