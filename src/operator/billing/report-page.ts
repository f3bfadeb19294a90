import { stringify } from 'csv-stringify/sync';
import { drawn } from './charts.js';
import { html, type Html } from './html.js';
import { count, htmlTable, madeOn, monthName, page, tiles, type Row } from './page.js';
import { OUTCOMES, type MonthTraffic, type Traffic } from './traffic.js';

/** What a report is made of. */
export interface Report {
  readonly month: string;
  /** All days of the month. */
  readonly days: readonly string[];
  readonly traffic: MonthTraffic;
  readonly names: ReadonlyMap<string, string>;
  readonly madeAt: Date;
  readonly isPreliminary: boolean;
  /** Requests of the daily totals, whose records were pruned. */
  readonly pruned: number;
}

const PERCENTILES = [50, 95, 99] as const;

const ms = (value: number): string =>
  value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : count(Math.round(value));

const share = (part: number, whole: number): string =>
  whole === 0 ? '0 %' : `${((100 * part) / whole).toFixed(part / whole < 0.01 ? 2 : 1)} %`;

/** The month for the operator's eyes: traffic, errors, latency, cost. */
export async function reportPage(report: Report): Promise<string> {
  const { month, traffic, names, pruned, madeAt, isPreliminary } = report;
  const { all } = traffic;
  const title = `Report, ${monthName(month)}`;
  const operations = [...traffic.operations].toSorted(([, a], [, b]) => b.requests - a.requests);
  const keys = [...traffic.keys].toSorted(([, a], [, b]) => b.quotaUnits - a.quotaUnits || b.requests - a.requests);
  return page(title, [
    html`<header>
      <div>
        <h1>${title}</h1>
        ${madeOn(madeAt)}${warning(isPreliminary, 'Preliminary: the month is not over.')}
        ${warning(pruned > 0, `${count(pruned)} requests are left out: their records were pruned.`)}
      </div>
    </header>`,
    tiles([
      ['Requests', count(all.requests)],
      ['Failed (5xx)', share(all.outcomes.failed, all.requests)],
      ['Refused and limited', share(all.outcomes.refused + all.outcomes.limited, all.requests)],
      ['Half answered within', `${ms(all.percentile(50))} ms`],
      ['95 % within', `${ms(all.percentile(95))} ms`],
      ['99 % within', `${ms(all.percentile(99))} ms`],
      ['Quota units', count(all.quotaUnits)],
      ['Credits', count(all.credits)],
    ]),
    ...(all.requests === 0 ? [] : await chartsOf(report)),
    html`<h2>By operation</h2>
      ${trafficTable(
        'Operation',
        operations.map(([name, each]) => [html`${name}`, each]),
        all,
      )}`,
    html`<h2>By key</h2>
      ${trafficTable(
        'Key',
        keys.map(([id, each]) => [
          id === '' ? html`Without a valid key` : html`${names.get(id) ?? ''} <span class="muted key">${id}</span>`,
          each,
        ]),
        all,
      )}`,
    html`<p class="muted">
      Refused: 4xx but 404 and 429. Limited: 429. Failed: 5xx. Times in milliseconds, from the request to its durable
      record; a percentile is exact to three digits.
    </p>`,
  ]);
}

const warning = (isShown: boolean, text: string): Html | null => (isShown ? html`<p class="warn">${text}</p>` : null);

async function chartsOf({ days, traffic }: Report): Promise<Html[]> {
  const byDay = days.map((day) => ({ label: day.slice(8), traffic: traffic.days.get(day) }));
  return [
    await drawn({
      title: 'Requests by day',
      direction: 'upright',
      partTitle: 'refused, limited or failed',
      bars: byDay.map(({ label, traffic: each }) => ({ label, value: each?.requests ?? 0, part: each?.errors ?? 0 })),
    }),
    await drawn({
      title: '95 % answered within, milliseconds by day',
      direction: 'upright',
      bars: byDay.map(({ label, traffic: each }) => ({ label, value: each?.percentile(95) ?? 0 })),
    }),
    await drawn({
      title: 'Quota units by operation',
      direction: 'lying',
      bars: [...traffic.operations]
        .filter(([, { quotaUnits }]) => quotaUnits > 0)
        .toSorted(([, a], [, b]) => b.quotaUnits - a.quotaUnits)
        .map(([label, { quotaUnits }]) => ({ label, value: quotaUnits, text: count(quotaUnits) })),
    }),
  ];
}

const HEAD = ['Requests', 'Not found', 'Refused', 'Limited', 'Failed', 'p50', 'p95', 'p99', 'Units', 'Credits'];

const cellsOf = (traffic: Traffic): (string | number)[] => [
  traffic.requests,
  traffic.outcomes['not found'],
  traffic.outcomes.refused,
  traffic.outcomes.limited,
  traffic.outcomes.failed,
  ...PERCENTILES.map((percent) => ms(traffic.percentile(percent))),
  traffic.quotaUnits,
  traffic.credits,
];

function trafficTable(name: string, lines: readonly (readonly [Html, Traffic])[], all: Traffic): Html {
  const rows: Row[] = lines.map(([about, traffic]) => ({ cells: [about, ...cellsOf(traffic)] }));
  rows.push({ kind: 'total', cells: ['Total', ...cellsOf(all)] });
  return htmlTable([name, ...HEAD], rows, HEAD.length);
}

/** The same numbers for a spreadsheet: a row an operation, then a row a key. */
export function reportCsv({ month, traffic, names }: Report): string {
  const percentiles = PERCENTILES.map((percent) => `p${percent}_ms`);
  const outcomes = OUTCOMES.map((outcome) => outcome.replace(' ', '_'));
  const head = ['month', 'by', 'name', 'key_name', 'requests', ...outcomes, ...percentiles, 'quota_units', 'credits'];
  const row = (by: string, [name, each]: readonly [string, Traffic]) => {
    const about = [month, by, name, by === 'key' ? (names.get(name) ?? '') : '', each.requests];
    const answered = OUTCOMES.map((outcome) => each.outcomes[outcome]);
    const times = PERCENTILES.map((percent) => each.percentile(percent));
    return [...about, ...answered, ...times, each.quotaUnits, each.credits];
  };
  const rows = [
    ...Array.from(traffic.operations, (line) => row('operation', line)),
    ...Array.from(traffic.keys, (line) => row('key', line)),
  ];
  return stringify([head, ...rows], { escape_formulas: true });
}
