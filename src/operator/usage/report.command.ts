import { join } from 'node:path';
import type { Command } from 'commander';
import { readGroups } from './usage-export.js';
import { sumUsage } from '../../features/quota/usage-sums.js';
import { UsageSummaries } from './usage-summary.js';
import { parseMonth } from '../arguments.js';
import { calendarMonth, fillDays } from '../billing/month.js';
import { writeOutputFiles } from '../billing/output-files.js';
import {
  describePruned,
  formatReportCsv,
  prunedRequests,
  renderReport,
  type TrafficReport,
} from '../billing/report-page.js';
import { MonthTraffic } from '../billing/traffic-stats.js';
import type { CommandContext, CommandRunner } from '../command.js';
import { addExamples } from '../help.js';
import { DONE } from '../output.js';
import { protectDatabase } from '../overwrite-guard.js';
import { settleOutageFiles } from '../settle-outage-files.js';
import { explainOpenDays } from './closed-days.js';
import { isTestRecord } from './export-line.js';
import { requireNoUnprunedReport } from './unpruned-report.js';
import { listKeyNames, listTestKeys } from './key-names.js';
import { countOf } from '../../model/counts.js';
import { describeMissingKeys, findMissingKeys, keyIdsOf } from './missing-keys.js';

interface UsageReportOptions {
  readonly month: string;
  readonly out: string;
  readonly overwrite?: true;
}

export function addReportCommand(usage: Command, run: CommandRunner): void {
  const command = usage
    .command('report')
    .description('Writes an internal report of a month: traffic, errors, latency and cost, as CSV and HTML')
    .requiredOption('--month <month>', 'UTC month, such as 2026-01', parseMonth)
    .requiredOption('--out <folder>', 'folder for the files')
    .option('--overwrite', 'replace a report that was written before records were pruned')
    .option('--json', 'machine-readable result')
    .action((options: UsageReportOptions, command: Command) =>
      run(command, (context) => report(context, options), 'existing'),
    );
  addExamples(command, 'usage report --month 2026-01 --out reports');
}

async function report(
  { database, location, dataFolder, output }: CommandContext,
  options: UsageReportOptions,
): Promise<number> {
  await settleOutageFiles(database, dataFolder, output);
  const days = calendarMonth(options.month);
  const isPreliminary = (await explainOpenDays(database, days.lastMs)) !== null;
  const traffic = new MonthTraffic();
  const testKeys = await listTestKeys(database);
  for await (const { records } of readGroups(database, days.from, days.to)) {
    for (const record of records) if (!isTestRecord(record, testKeys)) traffic.add(record);
  }
  const summaries = new UsageSummaries(database);
  const totalsBy = { operation: await summaries.sum(days, ['operation']), key: await summaries.sum(days, ['key']) };
  const totals = sumUsage(totalsBy.key);
  const names = await listKeyNames(database);
  const missingKeys = findMissingKeys(keyIdsOf(totalsBy.key), new Set(names.keys()));
  const madeAt = new Date();
  const content: TrafficReport = {
    month: options.month,
    days: fillDays(days, []).map(({ group: [day = ''] }) => day),
    traffic,
    names,
    missingKeys,
    madeAt,
    isPreliminary,
    totals,
    totalsBy,
  };
  const base = `report-${options.month}`;
  const csv = formatReportCsv(content);
  if (options.overwrite !== true) await requireNoUnprunedReport(join(options.out, `${base}.csv`), csv);
  const files = await writeOutputFiles(
    options.out,
    { [`${base}.csv`]: csv, [`${base}.html`]: await renderReport(content) },
    await protectDatabase(location),
  );
  const { all } = traffic;
  const pruned = prunedRequests(content);
  output.printResult(
    {
      month: options.month,
      files,
      requests: all.requests,
      outcomes: all.outcomes,
      quota_units: all.quotaUnits,
      credits: all.credits,
      duration_ms: { p50: all.percentile(50), p95: all.percentile(95), p99: all.percentile(99) },
      pruned,
      totals,
      missing_keys: missingKeys,
    },
    `Wrote ${files.join(' and ')}: ${countOf(totals.requests, 'request')}.` +
      (pruned === 0 ? '' : ` ${describePruned(content)}`) +
      (missingKeys.length === 0 ? '' : ` Warning: ${describeMissingKeys(missingKeys)}.`),
  );
  return DONE;
}
