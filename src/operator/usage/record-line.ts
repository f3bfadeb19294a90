import type { UsageRecord } from '../../receipts/usage-record.js';

/** The members of a record that is written, in their order. */
export const COLUMNS = [
  'request_id',
  'occurred_at',
  'key_id',
  'operation',
  'platform',
  'status',
  'quota_units',
  'credits',
  'items_returned',
  'duration_ms',
] as const;

const readable = (record: UsageRecord) => ({ ...record, occurred_at: new Date(record.occurred_at).toISOString() });

export const jsonLine = (record: UsageRecord): string => `${JSON.stringify(readable(record))}\n`;

/** No value of a record holds a comma, a quote or a line break. */
export function csvLine(record: UsageRecord): string {
  const values = readable(record);
  return `${COLUMNS.map((column) => values[column] ?? '').join(',')}\n`;
}
