import type { Command } from 'commander';
import { groupsOf } from './usage-export.js';
import { sumUsage } from '../../features/quota/usage-report.js';
import { UsageSummaries } from './usage-summary.js';
import { month } from '../arguments.js';
import { calendarMonth, everyDay } from '../billing/month.js';
import { writeFiles } from '../billing/output-files.js';
import { reportCsv, reportPage, type Report } from '../billing/report-page.js';
import { MonthTraffic } from '../billing/traffic.js';
import type { CommandContext, RunWith } from '../command.js';
import { withExamples } from '../help.js';
import { DONE } from '../output.js';
import { settleLeftovers } from '../settle-leftovers.js';
import { whyOpen } from './closed-days.js';
import { keyNames } from './names.js';

interface Options {
  readonly month: string;
  readonly out: string;
}

export function addReportCommand(usage: Command, run: RunWith): void {
  const command = usage
    .command('report')
    .description('Writes an internal report of a month: traffic, errors, latency and cost, as CSV and HTML')
    .requiredOption('--month <month>', 'UTC month, such as 2026-01', month)
    .requiredOption('--out <folder>', 'folder for the files')
    .option('--json', 'machine-readable result')
    .action((options: Options, command: Command) => run(command, (context) => report(context, options), 'existing'));
  withExamples(command, 'usage report --month 2026-01 --out reports');
}

async function report({ database, dataFolder, output }: CommandContext, options: Options): Promise<number> {
  await settleLeftovers(database, dataFolder);
  const days = calendarMonth(options.month);
  const isPreliminary = (await whyOpen(database, days.lastMs)) !== null;
  const traffic = new MonthTraffic();
  for await (const { records } of groupsOf(database, days.from, days.to)) {
    for (const record of records) traffic.add(record);
  }
  const totals = sumUsage(await new UsageSummaries(database).summary(days, ['month']));
  const madeAt = new Date();
  const content: Report = {
    month: options.month,
    days: everyDay(days, []).map(({ group: [day = ''] }) => day),
    traffic,
    names: await keyNames(database),
    madeAt,
    isPreliminary,
    // Negative if requests were recorded since the journal was read.
    pruned: Math.max(0, totals.requests - traffic.all.requests),
  };
  const base = `report-${options.month}`;
  const files = await writeFiles(options.out, {
    [`${base}.csv`]: reportCsv(content),
    [`${base}.html`]: await reportPage(content),
  });
  const { all } = traffic;
  output.result(
    {
      month: options.month,
      files,
      requests: all.requests,
      outcomes: all.outcomes,
      quota_units: all.quotaUnits,
      credits: all.credits,
      duration_ms: { p50: all.percentile(50), p95: all.percentile(95), p99: all.percentile(99) },
      pruned: content.pruned,
    },
    `Wrote ${files.join(' and ')}: ${all.requests.toLocaleString('en')} requests.`,
  );
  return DONE;
}
