import { stringify } from 'csv-stringify/sync';
import { drawChart } from './charts.js';
import { html, type Html } from './html.js';
import { formatCount } from '../../model/counts.js';
import { renderTable, renderCreatedAt, formatMonth, renderPage, renderTiles, type TableRow } from './page.js';
import type { UsageSums } from '../../features/quota/usage-sums.js';
import { describeMissingKeys } from '../usage/missing-keys.js';
import { createReportRows, rowOfStats, type ReportRow } from '../usage/report-rows.js';
import type { SummaryLine } from '../usage/usage-summary.js';
import { RESPONSE_CLASSES, type MonthTraffic } from './traffic-stats.js';

/** Contents of a monthly traffic report. */
export interface TrafficReport {
  readonly month: string;
  /** All days of the month. */
  readonly days: readonly string[];
  readonly traffic: MonthTraffic;
  readonly names: ReadonlyMap<string, string>;
  /** IDs of keys with usage that are not stored. */
  readonly missingKeys: readonly string[];
  readonly madeAt: Date;
  readonly isPreliminary: boolean;
  /** Daily totals of the month, which include pruned records. */
  readonly totals: UsageSums;
  /** Daily totals by operation and by key, for the rows whose records were pruned. */
  readonly totalsBy: Readonly<Record<'operation' | 'key', readonly SummaryLine[]>>;
}

/** Returns the number of requests whose records were pruned. */
export const prunedRequests = ({ totals, traffic }: TrafficReport): number =>
  // The totals are read after the records, so they can only be higher.
  Math.max(0, totals.requests - traffic.all.requests);

/** Says what was pruned, and what the report therefore lacks. */
export function describePruned(report: TrafficReport): string {
  const pruned = prunedRequests(report);
  const { totals, traffic } = report;
  const units = Math.max(0, totals.quota_units - traffic.all.quotaUnits);
  const credits = Math.max(0, totals.credits - traffic.all.credits);
  return (
    `${pruned === totals.requests ? 'All records' : `The records of ${formatCount(pruned)} of these requests`} ` +
    `(${formatCount(units)} quota units, ${formatCount(credits)} credits) were pruned: only their totals are known.`
  );
}

const PERCENTILES = [50, 95, 99] as const;

const formatMs = (value: number): string =>
  value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : formatCount(Math.round(value));

const formatShare = (part: number, whole: number): string =>
  whole === 0 ? '0 %' : `${((100 * part) / whole).toFixed(part / whole < 0.01 ? 2 : 1)} %`;

/** Renders the internal report of a month: traffic, errors, latency and cost. */
export async function renderReport(report: TrafficReport): Promise<string> {
  const { month, traffic, missingKeys, totals, madeAt, isPreliminary } = report;
  const { all } = traffic;
  const title = `Report, ${formatMonth(month)}`;
  return renderPage(title, [
    html`<header>
      <div>
        <h1>${title}</h1>
        ${renderCreatedAt(madeAt)}${warning(isPreliminary, 'Preliminary: the month is not over.')}
        ${warning(prunedRequests(report) > 0, describePruned(report))}
        ${warning(missingKeys.length > 0, `${describeMissingKeys(missingKeys)}.`)}
      </div>
    </header>`,
    ...(totals.requests === 0 ? [html`<p>There were no requests in ${formatMonth(month)}.</p>`] : [tilesOf(report)]),
    ...(all.requests === 0 ? [] : await chartsOf(report)),
    ...(totals.requests === 0 ? [] : tablesOf(report)),
  ]);
}

const warning = (isShown: boolean, text: string): Html | null => (isShown ? html`<p class="warn">${text}</p>` : null);

/** Renders the key figures. Shares and latencies need records. */
function tilesOf({ traffic: { all }, totals }: TrafficReport): Html {
  const ofRecords = [
    ['Failed (5xx)', formatShare(all.outcomes.failed, all.requests)],
    ['Refused and limited', formatShare(all.outcomes.refused + all.outcomes.limited, all.requests)],
    ['Half answered within', `${formatMs(all.percentile(50))} ms`],
    ['95 % within', `${formatMs(all.percentile(95))} ms`],
    ['99 % within', `${formatMs(all.percentile(99))} ms`],
  ] as const;
  return renderTiles([
    ['Requests', formatCount(totals.requests)],
    ...(all.requests === 0 ? [] : ofRecords),
    ['Quota units', formatCount(totals.quota_units)],
    ['Credits', formatCount(totals.credits)],
  ]);
}

/** Returns the rows of a report by operation or key. */
function rowsOf(report: TrafficReport, by: 'operation' | 'key'): ReportRow[] {
  const { traffic, totalsBy } = report;
  const records = by === 'key' ? traffic.keys : traffic.operations;
  return createReportRows(records, totalsBy[by], prunedRequests(report) > 0);
}

function tablesOf(report: TrafficReport): Html[] {
  const { traffic, totals, names } = report;
  const all = prunedRequests(report) > 0 ? { name: '', ...totals, stats: null } : rowOfStats('', traffic.all);
  const operations = rowsOf(report, 'operation').toSorted((a, b) => b.requests - a.requests);
  const keys = rowsOf(report, 'key').toSorted((a, b) => b.quota_units - a.quota_units || b.requests - a.requests);
  const labelKey = (id: string): Html =>
    id === '' ? html`Without a valid key` : html`${names.get(id) ?? ''} <span class="muted key">${id}</span>`;
  return [
    html`<h2>By operation</h2>
      ${trafficTable('Operation', operations, (name) => html`${name}`, all)}`,
    html`<h2>By key</h2>
      ${trafficTable('Key', keys, labelKey, all)}`,
    html`<p class="muted">
      Refused: 4xx except 404 and 429. Limited: 429. Failed: 5xx. Times are in milliseconds, from the request to its
      durable record. Percentiles are exact to three digits.
    </p>`,
  ];
}

async function chartsOf({ days, traffic }: TrafficReport): Promise<Html[]> {
  const byDay = days.map((day) => ({ label: day.slice(8), stats: traffic.days.get(day) }));
  return [
    await drawChart({
      title: 'Requests by day',
      direction: 'vertical',
      partTitle: 'refused, limited or failed',
      bars: byDay.map(({ label, stats }) => ({ label, value: stats?.requests ?? 0, part: stats?.errors ?? 0 })),
    }),
    await drawChart({
      title: '95 % answered within, milliseconds by day',
      direction: 'vertical',
      bars: byDay.map(({ label, stats }) => ({ label, value: stats?.percentile(95) ?? 0 })),
    }),
    await drawChart({
      title: 'Quota units by operation',
      direction: 'horizontal',
      bars: [...traffic.operations]
        .filter(([, { quotaUnits }]) => quotaUnits > 0)
        .toSorted(([, a], [, b]) => b.quotaUnits - a.quotaUnits)
        .map(([label, { quotaUnits }]) => ({ label, value: quotaUnits, text: formatCount(quotaUnits) })),
    }),
  ];
}

const HEADINGS = ['Requests', 'Not found', 'Refused', 'Limited', 'Failed', 'p50', 'p95', 'p99', 'Units', 'Credits'];

/** Classes of responses with a column. */
const COUNTED = ['not found', 'refused', 'limited', 'failed'] as const;

const cellsOf = ({ requests, quota_units, credits, stats }: ReportRow): (string | number)[] => [
  requests,
  ...COUNTED.map((outcome) => stats?.outcomes[outcome] ?? ''),
  ...PERCENTILES.map((percent) => (stats === null ? '' : formatMs(stats.percentile(percent)))),
  quota_units,
  credits,
];

function trafficTable(
  title: string,
  lines: readonly ReportRow[],
  labelOf: (name: string) => Html,
  all: ReportRow,
): Html {
  const rows: TableRow[] = lines.map((line) => ({ cells: [labelOf(line.name), ...cellsOf(line)] }));
  rows.push({ kind: 'total', cells: ['Total', ...cellsOf(all)] });
  return renderTable([title, ...HEADINGS], rows, HEADINGS.length);
}

/** Formats the report as CSV: a row per operation, then a row per key. Outcomes and latency of pruned records are empty. */
export function formatReportCsv(report: TrafficReport): string {
  const { month, names } = report;
  const percentiles = PERCENTILES.map((percent) => `p${percent}_ms`);
  const outcomes = RESPONSE_CLASSES.map((outcome) => outcome.replace(' ', '_'));
  const head = ['month', 'by', 'name', 'key_name', 'requests', ...outcomes, ...percentiles, 'quota_units', 'credits'];
  const rows = (['operation', 'key'] as const).flatMap((by) =>
    rowsOf(report, by).map(({ name, requests, quota_units, credits, stats }) => {
      const labels = [month, by, name, by === 'key' ? (names.get(name) ?? '') : ''];
      const counts = RESPONSE_CLASSES.map((outcome) => stats?.outcomes[outcome] ?? '');
      const times = PERCENTILES.map((percent) => stats?.percentile(percent) ?? '');
      return [...labels, requests, ...counts, ...times, quota_units, credits];
    }),
  );
  return stringify([head, ...rows], { escape_formulas: true });
}
