import { sumUsage, type UsageSums } from '../../features/quota/usage-sums.js';
import { DAY_MS, startOfDay } from '../../model/calendar-date.js';
import { OPERATION_TITLES, type OperationName } from '../../model/operation.js';
import type { SummaryLine } from '../usage/usage-summary.js';
import type { Bill, BillLine, CustomerBill } from './bill.js';
import { drawChart, type ChartBar } from './charts.js';
import { html, type Html } from './html.js';
import { formatAmount, formatPrice, sum, type Money } from './money.js';
import { formatCount } from '../../model/counts.js';
import { renderTable, formatMonth, renderFacts, renderPage, renderTiles, type TableRow } from './page.js';

/** What the page shows in addition to the bill. */
export interface InvoiceContext {
  /** All days of the month, including those without requests. */
  readonly days: readonly SummaryLine[];
  readonly operations: readonly SummaryLine[];
  /** Day of the invoice, such as `2026-02-01`. */
  readonly issuedOn: string;
  /** Days from then to the due date. */
  readonly dueDays: number;
  /** Whether the month can still get records. */
  readonly isPreliminary: boolean;
}

/** Renders a bill as a page: a summary, then a sheet for each customer. */
export async function renderInvoice(bill: Bill, context: InvoiceContext): Promise<string> {
  const { month, prices, customers, usage, gross } = bill;
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
  const isEmpty = customers.length === 0 && usage.requests === 0;
  const charts = usage.requests === 0 ? [] : await renderCharts(bill, context);
  const body = isEmpty
    ? [html`<p>There is no usage and no fee to bill in ${formatMonth(month)}.</p>`]
    : [renderTiles(figures), ...charts, ...renderSheets(bill, context, single)];
  return renderPage(
    single === undefined ? overviewTitleOf(bill) : titleOf(bill, context),
    [pageHeader(bill, context, single), ...body],
    {
      date: context.issuedOn,
      status: context.isPreliminary ? 'preliminary' : 'final',
    },
  );
}

/** Returns the title of the sheet of a customer. */
function titleOf({ prices, month }: Bill, { isPreliminary }: InvoiceContext): string {
  const kind = prices === null ? 'Usage' : isPreliminary ? 'Preliminary invoice' : 'Invoice';
  return `${kind}, ${formatMonth(month)}`;
}

/** Returns the title of the first sheet, on which the operator sees all customers. */
const overviewTitleOf = ({ month }: Bill): string => `Overview, ${formatMonth(month)}`;

/** Returns the due date of an invoice, such as `2026-03-03`. */
export const dueDateOf = ({ issuedOn, dueDays }: Pick<InvoiceContext, 'issuedOn' | 'dueDays'>): string =>
  new Date(startOfDay(issuedOn) + dueDays * DAY_MS).toISOString().slice(0, 10);

function renderSheets(bill: Bill, context: InvoiceContext, single?: CustomerBill): Html[] {
  if (single !== undefined) return [itemTable(single, bill), renderNote(bill)];
  return [customerTable(bill), ...bill.customers.map((customer) => customerSheet(customer, bill, context))];
}

const renderNote = ({ prices }: Bill): Html => (prices?.note === undefined ? html`` : html`<p>${prices.note}</p>`);

const issuerOf = ({ prices }: Bill): Html | null =>
  prices?.issuer === undefined ? null : html`<address class="muted">${lineBreaks(prices.issuer)}</address>`;

/** Renders number, date and due date. A list of usage has only the date, and the overview of all customers no number. A preliminary
 * bill has none of them, because it is not due. */
function renderBillFacts({ prices }: Bill, context: InvoiceContext, customer?: CustomerBill): Html {
  if (context.isPreliminary) return renderFacts([['Preliminary', `as of ${context.issuedOn}`]]);
  const number = customer?.invoiceNumber ?? null;
  return renderFacts([
    ...(number === null ? [] : ([['Invoice number', number]] as const)),
    ['Date', context.issuedOn],
    ...(prices === null ? [] : ([['Due date', dueDateOf(context)]] as const)),
  ]);
}

const formatMoney = ({ prices }: Bill, amount: Money): string =>
  prices === null ? '' : formatAmount(amount, prices.currency);

function pageHeader(bill: Bill, context: InvoiceContext, single?: CustomerBill): Html {
  const recipient =
    single === undefined
      ? null
      : html`<address>${lineBreaks(single.billTo)}<span class="muted key">${keyIds(single)}</span></address>`;
  const state = context.isPreliminary ? html`<p class="warn">Preliminary: the month is not over.</p>` : null;
  return html`<header>
    <div>
      <h1>${single === undefined ? overviewTitleOf(bill) : titleOf(bill, context)}</h1>
      <p class="muted">Days are UTC.</p>
      ${renderBillFacts(bill, context, single)} ${state}
    </div>
    ${recipient}${issuerOf(bill)}
  </header>`;
}

const keyIds = ({ keys }: Pick<CustomerBill, 'keys'>): string => keys.map(({ id }) => id).join(', ');

const lineBreaks = (texts: readonly string[]): Html[] => texts.map((text) => html`${text}<br />`);

/** Draws quota units by day, and amounts by operation; quota units by operation if nothing was charged. */
async function renderCharts(bill: Bill, { days, operations }: InvoiceContext): Promise<Html[]> {
  const byDay: ChartBar[] = days.map(({ group: [day = ''], quota_units }) => ({
    label: day.slice(8),
    value: quota_units,
  }));
  const amounts = new Map<string, Money[]>();
  for (const { item, kind, amount } of bill.customers.flatMap((customer) => customer.lines)) {
    if (kind === 'usage') amounts.set(item, [...(amounts.get(item) ?? []), amount]);
  }
  const isPriced = [...amounts.values()].some((list) => sum(list).gt(0));
  const byOperation: ChartBar[] = operations.map(({ group: [operation = ''], quota_units }) => {
    const label = titleOfItem(operation);
    if (!isPriced) return { label, value: quota_units, text: formatCount(quota_units) };
    const amount = sum(amounts.get(operation) ?? []);
    // A float is exact enough for the length of a bar.
    return { label, value: amount.toNumber(), text: formatMoney(bill, amount) };
  });
  return [
    await drawChart({ title: 'Quota units by day', bars: byDay, direction: 'vertical' }),
    await drawChart({
      title: isPriced ? `Amount by operation${describeExclusions(bill)}` : 'Quota units by operation',
      bars: byOperation.filter(({ value }) => value > 0).toSorted((a, b) => b.value - a.value),
      direction: 'horizontal',
    }),
  ];
}

/** Returns what the amounts of operations leave out, such as `, without fees and tax`. */
function describeExclusions({ customers }: Bill): string {
  const kinds = new Set(customers.flatMap(({ lines }) => lines.map(({ kind }) => kind)));
  const names = [...(kinds.has('fee') ? ['fees'] : []), ...(kinds.has('tax') ? ['tax'] : [])];
  return names.length === 0 ? '' : `, without ${names.join(' and ')}`;
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

const customerSheet = (customer: CustomerBill, bill: Bill, context: InvoiceContext): Html =>
  html`<section class="sheet">
    <header>
      <div>
        <h2>${customer.name}</h2>
        <p class="muted key">${keyIds(customer)}</p>
        <p>${titleOf(bill, context)}</p>
        ${renderBillFacts(bill, context, customer)}
      </div>
      ${customer.billTo.length === 1 && customer.billTo[0] === customer.name ? null : html`<address>${lineBreaks(customer.billTo)}</address>`}${issuerOf(bill)}
    </header>
    ${itemTable(customer, bill)}${renderNote(bill)}
  </section>`;

/** Returns the title of an operation; other items are titles already. */
const titleOfItem = (item: string): string => OPERATION_TITLES[item as OperationName] ?? capitalize(item);

const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Formats the prices of a line that are not 0, one a line. */
function unitPricesOf({ unitPrices }: BillLine, { prices }: Bill): Html {
  if (prices === null || unitPrices === null) return html``;
  const charged = Object.entries(unitPrices).filter(([, price]) => price.gt(0));
  if (charged.length === 0) return html`free`;
  return html`${lineBreaks(charged.map(([per, price]) => `${formatPrice(price, prices.currency)} per ${per}`))}`;
}

/** Whether a line is listed. Free requests to unknown paths are not an item of a bill, only part of the total. */
const isListed = ({ kind, item, amount }: BillLine): boolean =>
  kind !== 'tax' && (item !== ('unknown' satisfies OperationName) || amount.gt(0));

function itemTable({ keys, lines, usage, net, gross }: CustomerBill, bill: Bill): Html {
  const isPriced = bill.prices !== null;
  const amount = (value: Money) => (isPriced ? [formatMoney(bill, value)] : []);
  const unitPrices = (prices: Html) => (isPriced ? [prices] : []);
  const rows: TableRow[] = keys.flatMap(({ id, name }) => {
    const ofKey = lines.filter(({ keyId, kind }) => kind !== 'tax' && keyId === id);
    const keyRows = ofKey.filter(isListed).map((line) => ({
      cells: [
        titleOfItem(line.item),
        ...(line.kind === 'usage' ? [line.requests, line.quota_units, line.credits] : ['', '', '']),
        ...unitPrices(unitPricesOf(line, bill)),
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
      ...unitPrices(html``),
      ...amount(sum(ofKey.map((line) => line.amount))),
    ];
    return [{ kind: 'sub' as const, cells: heading }, ...keyRows];
  });
  const total = [usage.requests, usage.quota_units, usage.credits];
  const tax = lines.find(({ kind }) => kind === 'tax');
  if (tax !== undefined) {
    rows.push({ kind: 'sub', cells: ['Net', '', '', '', ...unitPrices(html``), ...amount(net)] });
    rows.push({ cells: [tax.item, '', '', '', ...unitPrices(html``), ...amount(tax.amount)] });
  }
  rows.push({ kind: 'total', cells: ['Total', ...total, ...unitPrices(html``), ...amount(gross)] });
  const head = ['Item', ...USAGE_HEADINGS, ...(isPriced ? ['Unit price', 'Amount'] : [])];
  const free = sumUsage(lines.filter((line) => line.item === ('unknown' satisfies OperationName) && !isListed(line)));
  return html`${renderTable(head, rows, head.length - 1)}${free.requests === 0 ? null : freeRequests(free)}`;
}

const freeRequests = ({ requests }: UsageSums): Html =>
  html`<p class="muted">
    The total includes ${formatCount(requests)} ${requests === 1 ? 'request' : 'requests'} to unknown paths, free of
    charge.
  </p>`;
