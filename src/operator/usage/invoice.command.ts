import type { Command } from 'commander';
import { ApiKeyEntity } from '../../features/auth/api-key.entity.js';
import { UsageSummaries } from './usage-summary.js';
import type { Database } from '../../database/database.js';
import { month } from '../arguments.js';
import { billOf, type BilledKey } from '../billing/bill.js';
import { invoiceCsv } from '../billing/invoice-csv.js';
import { invoicePage } from '../billing/invoice-page.js';
import { plain } from '../billing/money.js';
import { calendarMonth, everyDay } from '../billing/month.js';
import { writeFiles } from '../billing/output-files.js';
import { readPrices, type Prices } from '../billing/prices.js';
import type { CommandContext, RunWith } from '../command.js';
import { withExamples } from '../help.js';
import { OperatorError } from '../operator-error.js';
import { DONE } from '../output.js';
import { settleLeftovers } from '../settle-leftovers.js';
import { whyOpen } from './closed-days.js';
import { requireKey } from './names.js';

interface Options {
  readonly month: string;
  readonly prices?: string;
  readonly key?: string;
  readonly out: string;
}

export function addInvoiceCommand(usage: Command, run: RunWith): void {
  const command = usage
    .command('invoice')
    .description('Writes the invoices of a month, as CSV and as HTML that is ready to print')
    .requiredOption('--month <month>', 'UTC month, such as 2026-01', month)
    .option('--prices <file>', 'price list (docs/billing.md); without it, the invoices show usage only')
    .option('--key <id>', 'only the invoice of this key')
    .requiredOption('--out <folder>', 'folder for the files')
    .option('--json', 'machine-readable result')
    .action((options: Options, command: Command) => run(command, (context) => invoice(context, options), 'existing'));
  withExamples(
    command,
    'usage invoice --month 2026-01 --out invoices',
    'usage invoice --month 2026-01 --prices prices.json --key key_0123456789abcdef --out invoices',
  );
}

async function invoice({ database, dataFolder, output }: CommandContext, options: Options): Promise<number> {
  const { key, month: name } = options;
  // Check the arguments before the slow steps.
  const prices = options.prices === undefined ? null : await readPrices(options.prices);
  if (key !== undefined) await requireKey(database, key);
  const keys = await listBilledKeys(database);
  if (prices !== null) requireKnownKeys(prices, keys, options.prices ?? '');
  await settleLeftovers(database, dataFolder);

  const days = calendarMonth(name);
  // Check before reading usage: requests recorded in between would be missing from a final bill.
  const reason = await whyOpen(database, days.lastMs);
  const isPreliminary = reason !== null;
  const summaries = new UsageSummaries(database);
  const usage = await summaries.summary(days, ['key', 'operation'], key);
  const billed = key === undefined ? keys : keys.filter(({ id }) => id === key);
  const bill = billOf(days, usage, billed, key === undefined, prices);
  const now = new Date();
  const page = await invoicePage(bill, {
    days: everyDay(days, await summaries.summary(days, ['day'], key)),
    operations: await summaries.summary(days, ['operation'], key),
    madeAt: now,
    isPreliminary,
  });
  const base = `invoice-${name}${key === undefined ? '' : `-${key}`}`;
  const files = await writeFiles(options.out, {
    [`${base}.csv`]: invoiceCsv(bill, isPreliminary),
    [`${base}.html`]: page,
  });
  const amounts = prices && {
    currency: prices.currency,
    net: plain(bill.net, prices.currency),
    gross: plain(bill.gross, prices.currency),
  };
  output.result(
    {
      month: name,
      files,
      preliminary: isPreliminary,
      customers: bill.customers.length,
      totals: { ...bill.usage, ...amounts },
    },
    `Wrote ${files.join(' and ')}: ${bill.customers.length} customer${bill.customers.length === 1 ? '' : 's'}${amounts === null ? '' : `, ${amounts.gross} ${amounts.currency}`}.` +
      (isPreliminary ? ` Preliminary: ${reason}.` : ''),
  );
  return DONE;
}

async function listBilledKeys(database: Database): Promise<BilledKey[]> {
  const keys = await database.dataSource.getRepository(ApiKeyEntity).find();
  return keys.map(({ id, name, created_at, revoked_at }) => ({
    id,
    name,
    createdAt: Number(created_at),
    revokedAt: revoked_at === null ? null : Number(revoked_at),
  }));
}

/** Rejects prices for an unknown key: a misspelt key would never be charged. */
function requireKnownKeys(prices: Prices, keys: readonly BilledKey[], file: string): void {
  const known = new Set(keys.map(({ id }) => id));
  const unknown = Object.keys(prices.keys ?? {}).find((id) => !known.has(id));
  if (unknown === undefined) return;
  throw new OperatorError(
    'invalid_file',
    `${file}: keys: there is no key ${unknown}: "creator-data keys list" shows all`,
  );
}
