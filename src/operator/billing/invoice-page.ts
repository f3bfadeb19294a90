import { sumUsage } from '../../features/quota/usage-report.js';
import type { SummaryLine } from '../usage/usage-summary.js';
import type { Bill, CustomerBill } from './bill.js';
import { drawChart, type Bar } from './charts.js';
import { html, type Html } from './html.js';
import { formatAmount, sum, type Money } from './money.js';
import {
  formatCount,
  renderTable,
  renderCreatedAt,
  formatMonth,
  renderPage,
  renderTiles,
  type TableRow,
} from './page.js';

/** What the page shows in addition to the bill. */
export interface InvoiceContext {
  /** All days of the month, including those without requests. */
  readonly days: readonly SummaryLine[];
  readonly operations: readonly SummaryLine[];
  readonly madeAt: Date;
  /** Whether the month can still get records. */
  readonly isPreliminary: boolean;
}

/** Renders a bill as a page: a summary, then a sheet for each customer. */
export async function renderInvoice(bill: Bill, surroundings: InvoiceContext): Promise<string> {
  const { month, prices, customers, usage, gross } = bill;
  const title = `${prices === null ? 'Usage' : 'Invoice'}, ${formatMonth(month)}`;
  const single = customers.length === 1 && bill.withoutKey === null ? customers[0] : undefined;
  const figures: (readonly [string, string])[] = [
    ...(prices === null
      ? []
      : ([[prices.tax === undefined ? 'Amount' : 'Amount with tax', formatMoney(bill, gross)]] as const)),
    ['Requests', formatCount(usage.requests)],
    ['Quota units', formatCount(usage.quota_units)],
    ['Credits', formatCount(usage.credits)],
    ...(single === undefined ? ([['Customers', formatCount(customers.length)]] as const) : []),
  ];
  const charts = usage.requests === 0 ? [] : await chartsOf(bill, surroundings);
  return renderPage(title, [
    pageHeader(title, bill, surroundings, single),
    renderTiles(figures),
    ...charts,
    single === undefined ? customerTable(bill) : itemTable(single, bill),
    ...(single === undefined ? customers.map((customer) => customerSheet(customer, bill)) : []),
    prices?.note === undefined ? html`` : html`<p>${prices.note}</p>`,
  ]);
}

const formatMoney = ({ prices }: Bill, amount: Money): string =>
  prices === null ? '' : formatAmount(amount, prices.currency);

function pageHeader(
  title: string,
  { prices }: Bill,
  { madeAt, isPreliminary }: InvoiceContext,
  single?: CustomerBill,
): Html {
  const recipient =
    single === undefined
      ? null
      : html`<address>${lineBreaks(single.billTo)}<span class="muted key">${keyIds(single)}</span></address>`;
  const state = isPreliminary ? html`<p class="warn">Preliminary: the month is not over.</p>` : null;
  return html`<header>
    <div>
      <h1>${title}</h1>
      ${renderCreatedAt(madeAt)} ${state}
    </div>
    ${recipient}${prices?.issuer === undefined ? null : html`<address class="muted">${lineBreaks(prices.issuer)}</address>`}
  </header>`;
}

const keyIds = ({ keys }: Pick<CustomerBill, 'keys'>): string => keys.map(({ id }) => id).join(', ');

const lineBreaks = (texts: readonly string[]): Html[] => texts.map((text) => html`${text}<br />`);

/** Draws quota units by day, and amounts by operation; quota units by operation if nothing was charged. */
async function chartsOf(bill: Bill, { days, operations }: InvoiceContext): Promise<Html[]> {
  const byDay: Bar[] = days.map(({ group: [day = ''], quota_units }) => ({ label: day.slice(8), value: quota_units }));
  const amounts = new Map<string, Money[]>();
  for (const { item, kind, amount } of bill.customers.flatMap((customer) => customer.lines)) {
    if (kind === 'usage') amounts.set(item, [...(amounts.get(item) ?? []), amount]);
  }
  const isPriced = [...amounts.values()].some((list) => sum(list).gt(0));
  const byOperation: Bar[] = operations.map(({ group: [operation = ''], quota_units }) => {
    if (!isPriced) return { label: operation, value: quota_units, text: formatCount(quota_units) };
    const amount = sum(amounts.get(operation) ?? []);
    // A float is exact enough for the length of a bar.
    return { label: operation, value: amount.toNumber(), text: formatMoney(bill, amount) };
  });
  return [
    await drawChart({ title: 'Quota units by day', bars: byDay, direction: 'vertical' }),
    await drawChart({
      title: `${isPriced ? 'Amount' : 'Quota units'} by operation`,
      bars: byOperation.filter(({ value }) => value > 0).toSorted((a, b) => b.value - a.value),
      direction: 'horizontal',
    }),
  ];
}

const USAGE_HEADINGS = ['Requests', 'Units', 'Credits'];

const headings = (first: readonly string[], { prices }: Bill): string[] => [
  ...first,
  ...USAGE_HEADINGS,
  ...(prices === null ? [] : ['Amount']),
];

/** Number of numeric columns after the first of `headings`. */
const numericColumns = ({ prices }: Bill): number => (prices === null ? 3 : 4);

function customerTable(bill: Bill): Html {
  const amount = (value: Money | null) =>
    bill.prices === null ? [] : [value === null ? '' : formatMoney(bill, value)];
  const rows: TableRow[] = bill.customers.map(({ name, keys, usage, gross }) => ({
    cells: [
      html`${name} <span class="muted key">${keyIds({ keys })}</span>`,
      usage.requests,
      usage.quota_units,
      usage.credits,
      ...amount(gross),
    ],
  }));
  if (bill.withoutKey !== null && bill.withoutKey.requests > 0) {
    const { requests, quota_units, credits } = bill.withoutKey;
    rows.push({ cells: ['Without a valid key, free of charge', requests, quota_units, credits, ...amount(null)] });
  }
  const { requests, quota_units, credits } = bill.usage;
  rows.push({ kind: 'total', cells: ['Total', requests, quota_units, credits, ...amount(bill.gross)] });
  return html`<h2>Customers</h2>
    ${renderTable(headings(['Customer'], bill), rows, numericColumns(bill))}`;
}

const customerSheet = (customer: CustomerBill, bill: Bill): Html =>
  html`<section class="sheet">
    <h2>${customer.name}</h2>
    <p class="muted key">${keyIds(customer)}, ${formatMonth(bill.month)}</p>
    ${customer.billTo.length === 1 && customer.billTo[0] === customer.name ? null : html`<address>${lineBreaks(customer.billTo)}</address>`}${itemTable(customer, bill)}
  </section>`;

function itemTable({ keys, lines, usage, net, gross }: CustomerBill, bill: Bill): Html {
  const isPriced = bill.prices !== null;
  const amount = (value: Money) => (isPriced ? [formatMoney(bill, value)] : []);
  const rows: TableRow[] = keys.flatMap(({ id, name }) => {
    const ofKey = lines.filter(({ keyId, kind }) => kind !== 'tax' && keyId === id);
    const keyRows = ofKey.map((line) => ({
      cells: [
        line.item,
        ...(line.kind === 'usage' ? [line.requests, line.quota_units, line.credits] : ['', '', '']),
        ...amount(line.amount),
      ],
    }));
    if (keys.length === 1) return keyRows;
    const sums = sumUsage(ofKey);
    const heading = [
      html`${name} <span class="muted key">${id}</span>`,
      sums.requests,
      sums.quota_units,
      sums.credits,
      ...amount(sum(ofKey.map((line) => line.amount))),
    ];
    return [{ kind: 'sub' as const, cells: heading }, ...keyRows];
  });
  const total = [usage.requests, usage.quota_units, usage.credits];
  const tax = lines.find(({ kind }) => kind === 'tax');
  if (tax !== undefined) {
    rows.push({ kind: 'sub', cells: ['Net', '', '', '', ...amount(net)] });
    rows.push({ cells: [tax.item, '', '', '', ...amount(tax.amount)] });
  }
  rows.push({ kind: 'total', cells: ['Total', ...total, ...amount(gross)] });
  return renderTable(headings(['Item'], bill), rows, numericColumns(bill));
}
