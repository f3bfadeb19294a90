import { join } from 'node:path';
import { Option, type Command } from 'commander';
import { ApiKeyEntity } from '../../features/auth/api-key.entity.js';
import { UsageSummaries } from './usage-summary.js';
import type { Database } from '../../database/database.js';
import { parseDueDays, parseMonth } from '../arguments.js';
import { createBill, keysOfCustomer, type Bill, type BilledKey } from '../billing/bill.js';
import { formatInvoiceNumber } from '../billing/invoice-number.js';
import { formatInvoiceCsv } from '../billing/invoice-csv.js';
import { dueDateOf, renderInvoice } from '../billing/invoice-page.js';
import { formatDecimal } from '../billing/money.js';
import { calendarMonth, fillDays } from '../billing/month.js';
import { requireWritableFiles, writeOutputFiles } from '../billing/output-files.js';
import { readPriceList, type PriceList } from '../billing/price-list.js';
import { findContradictingBill, findIssueDate, readStoredBill, requireSameBill } from '../billing/stored-bill.js';
import type { CommandContext, CommandRunner } from '../command.js';
import { countOf } from '../../model/counts.js';
import { addExamples } from '../help.js';
import { OperatorError } from '../operator-error.js';
import { DONE } from '../output.js';
import { protectDatabase, protectFile } from '../overwrite-guard.js';
import { settleOutageFiles } from '../settle-outage-files.js';
import { explainOpenDays } from './closed-days.js';
import { listKeyNames, listTestKeys, requireKey } from './key-names.js';

interface InvoiceOptions {
  readonly month: string;
  readonly prices?: string;
  readonly key?: string;
  readonly customer?: string;
  readonly dueDays: number;
  readonly overwrite?: true;
  readonly out: string;
}

export function addInvoiceCommand(usage: Command, run: CommandRunner): void {
  const command = usage
    .command('invoice')
    .description('Writes the invoices of a month, as CSV and as HTML that is ready to print')
    .requiredOption('--month <month>', 'UTC month, such as 2026-01', parseMonth)
    .option('--prices <file>', 'price list (docs/billing.md); without it, the invoices show usage only')
    .addOption(new Option('--customer <name>', 'only the invoice of this customer, with all keys').conflicts('key'))
    .option('--key <id>', 'only the invoice of this key')
    .option('--due-days <days>', 'days from the date of an invoice to its due date', parseDueDays, 30)
    .requiredOption('--out <folder>', 'folder for the files')
    .option('--overwrite', 'replace a different bill of the month, with the date of today')
    .option('--json', 'machine-readable result')
    .action((options: InvoiceOptions, command: Command) =>
      run(command, (context) => invoice(context, options), 'existing'),
    );
  addExamples(
    command,
    'usage invoice --month 2026-01 --out invoices',
    'usage invoice --month 2026-01 --prices prices.json --customer Acme --out invoices',
    'usage invoice --month 2026-01 --prices prices.json --key key_0123456789abcdef --out invoices',
  );
}

async function invoice(
  { database, location, dataFolder, output }: CommandContext,
  options: InvoiceOptions,
): Promise<number> {
  const { key, customer, month: name } = options;
  // Check the arguments before the slow steps.
  const prices = options.prices === undefined ? null : await readPriceList(options.prices);
  if (key !== undefined) await requireLiveKey(database, key);
  if (prices !== null) requireKnownKeys(prices, await listKeyNames(database), options.prices ?? '');
  const part = customer === undefined ? key : formatInvoiceNumber(name, customer).slice(name.length + 1);
  const base = `invoice-${name}${part === undefined ? '' : `-${part}`}`;
  const isOfAll = key === undefined && customer === undefined;
  const known = isOfAll ? [] : await listBilledKeys(database);
  if (customer !== undefined) requireCustomer(known, customer);
  const names = { csv: `${base}.csv`, page: `${base}.html` };
  const protectedFiles = [...(await protectDatabase(location)), ...protectFile(options.prices, 'the price list')];
  await requireWritableFiles(options.out, Object.values(names), protectedFiles);
  await settleOutageFiles(database, dataFolder, output);

  const days = calendarMonth(name);
  // Check before reading usage: requests recorded in between would be missing from a final bill.
  const reason = await explainOpenDays(database, days.lastMs);
  const isPreliminary = reason !== null;
  const summaries = new UsageSummaries(database);
  const chosen = isOfAll ? undefined : chooseKeys(known, options);
  const ids = chosen?.map(({ id }) => id);
  const usage = await summaries.sum(days, ['key', 'operation'], ids);
  // Read after the usage, so that it includes a key that was created and used meanwhile.
  const bill = createBill(days, usage, chosen ?? (await listBilledKeys(database)), isOfAll, prices);
  const paths = { csv: join(options.out, names.csv), page: join(options.out, names.page) };
  const stored = options.overwrite === true ? { csv: null, page: null } : await readStoredBill(paths);
  const issuedOn = findIssueDate(stored) ?? new Date().toISOString().slice(0, 10);
  const { dueDays } = options;
  const page = await renderInvoice(bill, {
    days: fillDays(days, await summaries.sum(days, ['day'], ids)),
    operations: await summaries.sum(days, ['operation'], ids),
    issuedOn,
    dueDays,
    isPreliminary,
  });
  const csv = formatInvoiceCsv(bill, isPreliminary);
  requireSameBill(stored, { csv, page }, paths);
  const other = await findContradictingBill(options.out, names.csv, csv);
  const contradiction = other && `${other.path} charges invoice ${other.number} differently`;
  if (contradiction !== null && options.overwrite !== true) {
    throw new OperatorError(
      'invalid_file',
      `${contradiction}: choose another folder, or pass --overwrite to write this bill beside it`,
    );
  }
  const files = await writeOutputFiles(options.out, { [names.csv]: csv, [names.page]: page }, protectedFiles);
  const amounts = prices && {
    currency: prices.currency,
    net: formatDecimal(bill.net, prices.currency),
    gross: formatDecimal(bill.gross, prices.currency),
  };
  output.printResult(
    {
      month: name,
      files,
      preliminary: isPreliminary,
      date: issuedOn,
      due_date: prices && dueDateOf({ issuedOn, dueDays }),
      customers: bill.customers.length,
      totals: { ...bill.usage, ...amounts },
    },
    `Wrote ${files.join(' and ')}: ${countOf(bill.customers.length, 'customer')}${amounts === null ? '' : `, ${amounts.gross} ${amounts.currency}`}.` +
      (isPreliminary ? ` Preliminary: ${reason}.` : ''),
  );
  if (bill.customers.every(({ usage: { requests } }) => requests === 0)) {
    const whose = key === undefined ? '' : ` of key ${key}`;
    output.printMessage(`${name} has no billed requests${whose}${bill.customers.length === 0 ? '' : ', only fees'}`);
  }
  if (contradiction !== null) output.printMessage(`Note: ${contradiction}`);
  if (key !== undefined) for (const note of describeOtherKeys(known, key)) output.printMessage(note);
  if (pricesFreeRequests(bill)) output.printMessage(FREE_REQUESTS_NOTE);
  return DONE;
}

const FREE_REQUESTS_NOTE =
  'Note: the price "request" is charged for every recorded request, also for those without units, such as 304, 402 and 503.';

const pricesFreeRequests = ({ customers }: Bill): boolean =>
  customers.some(({ lines }) => lines.some(({ unitPrices }) => unitPrices?.request.gt(0) === true));

/** Returns the keys of the customer, or the key, that the options name. */
const chooseKeys = (keys: readonly BilledKey[], { key, customer }: InvoiceOptions): BilledKey[] =>
  customer === undefined ? keys.filter(({ id }) => id === key) : keysOfCustomer(keys, customer);

/** @throws OperatorError if the customer has no key */
function requireCustomer(keys: readonly BilledKey[], customer: string): void {
  if (keysOfCustomer(keys, customer).length > 0) return;
  throw new OperatorError(
    'not_found',
    `there is no customer ${JSON.stringify(customer)} with a key that is billed: "creator-data keys list" shows all`,
  );
}

/** Says that the invoice of a key is a part of its customer's, who must not pay both. */
function describeOtherKeys(keys: readonly BilledKey[], id: string): string[] {
  const own = keys.find((each) => each.id === id);
  const customer = own?.customer ?? own?.name ?? '';
  const others = keysOfCustomer(keys, customer).length - 1;
  // Keys that only have the same name have separate bills.
  if (others < 1 || keys.every((each) => each.customer !== customer)) return [];
  return [
    `Note: ${JSON.stringify(customer)} has ${countOf(others, 'other key')}: --customer ${JSON.stringify(customer)} writes one invoice of all.`,
  ];
}

/** @throws OperatorError for an unknown key, or a test key */
async function requireLiveKey(database: Database, id: string): Promise<void> {
  await requireKey(database, id);
  if (!(await listTestKeys(database)).has(id)) return;
  throw new OperatorError('invalid_arguments', `key ${id} is a test key, which is never billed`);
}

async function listBilledKeys(database: Database): Promise<BilledKey[]> {
  const keys = await database.dataSource.getRepository(ApiKeyEntity).findBy({ is_test: 0 });
  return keys.map(({ id, name, customer, created_at, revoked_at, expires_at }) => ({
    id,
    name,
    customer,
    createdAt: Number(created_at),
    endedAt: Math.min(Number(revoked_at ?? Infinity), Number(expires_at ?? Infinity)),
  }));
}

/** Rejects prices for an unknown key: a misspelt key would never be charged. */
function requireKnownKeys(prices: PriceList, known: ReadonlyMap<string, string>, file: string): void {
  const unknown = Object.keys(prices.keys ?? {}).find((id) => !known.has(id));
  if (unknown === undefined) return;
  throw new OperatorError(
    'invalid_file',
    `${file}: keys: there is no key ${JSON.stringify(unknown)}: "creator-data keys list" shows all`,
  );
}
