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
    .description('Writes the bill of a month: CSV, and a page that is ready to print')
    .requiredOption('--month <month>', 'UTC month, such as 2026-01', month)
    .option('--prices <file>', 'what things cost (docs/billing.md); without it, usage alone')
    .option('--key <id>', 'only the bill of this key')
    .requiredOption('--out <folder>', 'where the files go')
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
  // Before anything that takes time.
  const prices = options.prices === undefined ? null : await readPrices(options.prices);
  if (key !== undefined) await requireKey(database, key);
  const keys = await allKeys(database);
  if (prices !== null) requireKnown(prices, keys, options.prices ?? '');
  await settleLeftovers(database, dataFolder);

  const days = calendarMonth(name);
  // Before the usage is read: what comes between would be missing in a bill that says it is final.
  const reason = await whyOpen(database, days.lastMs);
  const isPreliminary = reason !== null;
  const reports = new UsageSummaries(database);
  const usage = await reports.summary(days, ['key', 'operation'], key);
  const billed = key === undefined ? keys : keys.filter(({ id }) => id === key);
  const bill = billOf(days, usage, billed, key === undefined, prices);
  const now = new Date();
  const page = await invoicePage(bill, {
    days: everyDay(days, await reports.summary(days, ['day'], key)),
    operations: await reports.summary(days, ['operation'], key),
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

async function allKeys(database: Database): Promise<BilledKey[]> {
  const keys = await database.dataSource.getRepository(ApiKeyEntity).find();
  return keys.map(({ id, name, created_at, revoked_at }) => ({
    id,
    name,
    createdAt: Number(created_at),
    revokedAt: revoked_at === null ? null : Number(revoked_at),
  }));
}

/** A price for a misspelt key would never be charged. */
function requireKnown(prices: Prices, keys: readonly BilledKey[], file: string): void {
  const known = new Set(keys.map(({ id }) => id));
  const unknown = Object.keys(prices.keys ?? {}).find((id) => !known.has(id));
  if (unknown === undefined) return;
  throw new OperatorError(
    'invalid_file',
    `${file}: keys: there is no key ${unknown}: "creator-data keys list" shows all`,
  );
}
