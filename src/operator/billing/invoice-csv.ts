import { stringify } from 'csv-stringify/sync';
import type { Bill } from './bill.js';
import { plain } from './money.js';

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
];

/** The bill, a row a line: each column of numbers adds up to the total. Empty amounts without prices. */
export function invoiceCsv({ month, customers, nobody, prices }: Bill, isPreliminary: boolean): string {
  const status = isPreliminary ? 'preliminary' : 'final';
  const currency = prices?.currency ?? '';
  const rows = customers.flatMap(({ keyId, name, lines }) =>
    lines.map(({ item, requests, quota_units, credits, amount }) => {
      const charged = prices === null ? '' : plain(amount, prices.currency);
      return [month, keyId, name, item, requests, quota_units, credits, currency, charged, status];
    }),
  );
  if (nobody !== null && nobody.requests > 0) {
    const { requests, quota_units, credits } = nobody;
    rows.push([month, '', '', 'without a valid key', requests, quota_units, credits, currency, '', status]);
  }
  // Names like =1+1 must not become formulas in a spreadsheet.
  return stringify([COLUMNS, ...rows], { escape_formulas: true });
}
