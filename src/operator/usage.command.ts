import { once } from 'node:events';
import { Option, type Command } from 'commander';
import { exportUsage, pruneUsage } from '../features/quota/usage-export.js';
import { dayNumberOf, type UsageRecord } from '../receipts/usage-record.js';
import { sumUsage, UsageReports, type SummaryGrouping } from '../features/quota/usage-report.js';
import { settleLeftovers } from './settle-leftovers.js';
import { date } from './arguments.js';
import { DONE, table } from './output.js';
import type { RunWith } from './command.js';

type Format = 'csv' | 'ndjson';

interface Days {
  readonly from: string;
  readonly to: string;
}

export function addUsageCommand(program: Command, run: RunWith): void {
  const usage = program.command('usage').description('Exports, sums up and prunes the record of requests');

  withDays(usage.command('export').description('Writes the usage records to standard output, oldest first'))
    .option('--key <id>', 'only the records of this key')
    .addOption(new Option('--format <format>', 'how to write them').choices(['csv', 'ndjson']).default('csv'))
    .option('--json', 'the same as --format ndjson')
    .action(({ from, to, key, format, json }: Days & { key?: string; format: Format; json?: true }, command: Command) =>
      run(command, async ({ database, dataFolder }) => {
        await settleLeftovers(database, dataFolder);
        const write = lineWriter(json ? 'ndjson' : format);
        await write([]);
        const days = { from: dayNumberOf(from), to: dayNumberOf(to), ...(key === undefined ? {} : { keyId: key }) };
        for await (const records of exportUsage(database, days)) if (!(await write(records))) break;
        return DONE;
      }),
    );

  withDays(usage.command('summary').description('Sums up requests, units and credits'))
    .addOption(new Option('--by <what>', 'what to sum up by').choices(['key', 'day', 'operation']).default('key'))
    .option('--json', 'machine-readable result')
    .action(({ from, to, by }: Days & { by: SummaryGrouping }, command: Command) =>
      run(command, async ({ database, dataFolder, output }) => {
        await settleLeftovers(database, dataFolder);
        const lines = await new UsageReports(database).summary({ from: dayNumberOf(from), to: dayNumberOf(to) }, by);
        const totals = sumUsage(lines);
        const rows = lines.map((line) => [line.group === '' ? '(no valid key)' : line.group, ...numbers(line)]);
        output.result(
          { lines: lines.map(({ group, ...sums }) => ({ [by]: group === '' ? null : group, ...sums })), totals },
          table([by.toUpperCase(), 'REQUESTS', 'UNITS', 'CREDITS'], [...rows, ['TOTAL', ...numbers(totals)]]),
        );
        return DONE;
      }),
    );

  usage
    .command('prune')
    .description('Deletes the records before a day; the daily totals stay')
    .requiredOption('--before <date>', 'the first day that is kept', date)
    .option('--json', 'machine-readable result')
    .action(({ before }: { before: string }, command: Command) =>
      run(command, async ({ database, output }) => {
        const groups = await pruneUsage(database, dayNumberOf(before));
        output.result({ before, groups_deleted: groups }, `Deleted the records before ${before} (${groups} groups).`);
        return DONE;
      }),
    );
}

function withDays(command: Command): Command {
  return command
    .requiredOption('--from <date>', 'first UTC day', date)
    .requiredOption('--to <date>', 'last UTC day, inclusive', date);
}

const numbers = (sums: { requests: number; quota_units: number; credits: number }): number[] => [
  sums.requests,
  sums.quota_units,
  sums.credits,
];

const COLUMNS = [
  'request_id',
  'occurred_at',
  'key_id',
  'operation',
  'platform',
  'status',
  'quota_units',
  'credits',
  'items_returned',
  'duration_ms',
] as const;

/** Writes records, and waits whenever the reader of standard output is slower. @returns false once the reader has gone */
function lineWriter(format: Format): (records: readonly UsageRecord[]) => Promise<boolean> {
  const { stdout } = process;
  let hasReader = true;
  stdout.once('error', () => (hasReader = false));
  let header = format === 'csv' ? `${COLUMNS.join(',')}\n` : '';
  return async (records) => {
    const text = header + records.map(format === 'csv' ? csvLine : jsonLine).join('');
    header = '';
    // An error ends the wait, too.
    if (text !== '' && !stdout.write(text)) await once(stdout, 'drain').catch(() => undefined);
    return hasReader;
  };
}

const readable = (record: UsageRecord) => ({ ...record, occurred_at: new Date(record.occurred_at).toISOString() });

const jsonLine = (record: UsageRecord): string => `${JSON.stringify(readable(record))}\n`;

/** No value of a record holds a comma, a quote or a line break. */
function csvLine(record: UsageRecord): string {
  const values = readable(record);
  return `${COLUMNS.map((column) => values[column] ?? '').join(',')}\n`;
}
