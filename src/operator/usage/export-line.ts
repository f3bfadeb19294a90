import type { UsageRecord } from '../../receipts/usage-record.js';

/** Members of an exported record, in order. */
export const EXPORT_COLUMNS = [
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

const withIsoTime = (record: UsageRecord) => ({ ...record, occurred_at: new Date(record.occurred_at).toISOString() });

export const formatJsonLine = (record: UsageRecord): string => `${JSON.stringify(withIsoTime(record))}\n`;

/** Formats a record as CSV. No value contains a comma, a quote or a line break, so none is quoted. */
export function formatCsvLine(record: UsageRecord): string {
  const values = withIsoTime(record);
  return `${EXPORT_COLUMNS.map((column) => values[column] ?? '').join(',')}\n`;
}
