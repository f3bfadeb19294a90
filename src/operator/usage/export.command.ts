import { once } from 'node:events';
import { Option, type Command } from 'commander';
import { listPrunedDays, readRecords } from './usage-export.js';
import { formatDayNumber, type UsageRecord } from '../../receipts/usage-record.js';
import type { CommandRunner } from '../command.js';
import { addExamples } from '../help.js';
import { countOf } from '../../model/counts.js';
import { DONE } from '../output.js';
import { settleOutageFiles } from '../settle-outage-files.js';
import { parseDayRange, addDayRangeOptions, type DayRangeOptions } from './day-range.js';
import { listTestKeys, requireKey } from './key-names.js';
import { formatCsvHeader, formatCsvLine, formatJsonLine } from './export-line.js';

type ExportFormat = 'csv' | 'ndjson';

type ExportOptions = DayRangeOptions & { readonly key?: string; readonly format: ExportFormat; readonly json?: true };

export function addExportCommand(usage: Command, run: CommandRunner): void {
  const command = addDayRangeOptions(
    usage.command('export').description('Writes the usage records to standard output, oldest first'),
  )
    .option('--key <id>', 'only the records of this key')
    .addOption(new Option('--format <format>', 'output format').choices(['csv', 'ndjson']).default('csv'))
    .option('--json', 'the same as --format ndjson')
    .action(({ key, format, json, ...given }: ExportOptions, command: Command) =>
      run(
        command,
        async ({ database, dataFolder, output }) => {
          const days = parseDayRange(given);
          if (key !== undefined) await requireKey(database, key);
          await settleOutageFiles(database, dataFolder, output);
          const filter = key === undefined ? days : { ...days, keyId: key };
          const pruned = await listPrunedDays(database, filter);
          if (pruned.length > 0) output.printMessage(describePruned(pruned));
          const write = lineWriter(json ? 'ndjson' : format, await listTestKeys(database));
          await write([]);
          for await (const records of readRecords(database, filter)) if (!(await write(records))) break;
          return DONE;
        },
        'existing',
      ),
    );
  addExamples(
    command,
    'usage export --from 2026-01-01 --to 2026-01-31 > january.csv',
    'usage export --from 2026-01-31 --to 2026-01-31 --key key_0123456789abcdef --format ndjson',
  );
}

/** Warns about days without records. @param days day numbers, ascending, at least one */
function describePruned(days: readonly number[]): string {
  const [first = 0, last = 0] = [days[0], days.at(-1)];
  const range = days.length === 1 ? formatDayNumber(first) : `${formatDayNumber(first)} to ${formatDayNumber(last)}`;
  return (
    `Warning: the records of ${countOf(days.length, 'day')} with usage (${range}) were pruned and are missing here. ` +
    'They are in the archives of these months, if there are any; "usage summary" still has the totals.'
  );
}

/** Creates a writer to standard output with backpressure. The writer returns false once its reader has closed the pipe. */
function lineWriter(
  format: ExportFormat,
  testKeys: ReadonlySet<string>,
): (records: readonly UsageRecord[]) => Promise<boolean> {
  const { stdout } = process;
  let hasReader = true;
  stdout.once('error', () => (hasReader = false));
  let header = format === 'csv' ? formatCsvHeader(testKeys) : '';
  return async (records) => {
    const formatLine = format === 'csv' ? formatCsvLine : formatJsonLine;
    const text = header + records.map((record) => formatLine(record, testKeys)).join('');
    header = '';
    // An error ends the wait as well.
    if (text !== '' && !stdout.write(text)) await once(stdout, 'drain').catch(() => undefined);
    return hasReader;
  };
}
