import { stringify } from 'csv-stringify/sync';
import type { Bill } from './bill.js';
import { formatDecimal, ZERO } from './money.js';

const COLUMNS = [
  'month',
  'key_id',
  'customer',
  'item',
  'requests',
  'quota_units',
  'credits',
  'currency',
  'amount',
  'status',
  'invoice_number',
];

/** Formats a bill as CSV, a row per line. Each numeric column adds up to the total. Without prices, amounts are empty. */
export function formatInvoiceCsv(
  { month, customers, withoutKey: keylessUsage, prices }: Bill,
  isPreliminary: boolean,
): string {
  const status = isPreliminary ? 'preliminary' : 'final';
  const currency = prices?.currency ?? '';
  const rows = customers.flatMap(({ name, invoiceNumber, lines }) =>
    lines.map(({ keyId, item, requests, quota_units, credits, amount }) => {
      const charge = prices === null ? '' : formatDecimal(amount, prices.currency);
      // A preliminary bill has no number, so that nobody pays it.
      const number = isPreliminary ? '' : (invoiceNumber ?? '');
      return [month, keyId ?? '', name, item, requests, quota_units, credits, currency, charge, status, number];
    }),
  );
  if (keylessUsage !== null && keylessUsage.requests > 0) {
    const { requests, quota_units, credits } = keylessUsage;
    const charge = prices === null ? '' : formatDecimal(ZERO, prices.currency);
    rows.push([month, '', '', 'without a valid key', requests, quota_units, credits, currency, charge, status, '']);
  }
  // A name such as =1+1 must not become a formula in a spreadsheet.
  return stringify([COLUMNS, ...rows], { escape_formulas: true });
}
