import type { UsageRecord } from '../../receipts/usage-record.js';

/** Members of an exported record, in order. */
const EXPORT_COLUMNS = [
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

/** Reports whether a record is of a test key. */
export const isTestRecord = ({ key_id }: UsageRecord, testKeys: ReadonlySet<string>): boolean =>
  key_id !== null && testKeys.has(key_id);

const withIsoTime = (record: UsageRecord) => ({ ...record, occurred_at: new Date(record.occurred_at).toISOString() });

/** Formats a record as JSON. Only one of a test key has the member `test`. */
export function formatJsonLine(record: UsageRecord, testKeys: ReadonlySet<string>): string {
  const values = withIsoTime(record);
  return `${JSON.stringify(isTestRecord(record, testKeys) ? { ...values, test: true } : values)}\n`;
}

/** Returns the names of the columns. There is a column `test` once there is a test key. */
export const formatCsvHeader = (testKeys: ReadonlySet<string>): string =>
  `${[...EXPORT_COLUMNS, ...(testKeys.size > 0 ? ['test'] : [])].join(',')}\n`;

/** Formats a record as CSV. No value contains a comma, a quote or a line break, so none is quoted. */
export function formatCsvLine(record: UsageRecord, testKeys: ReadonlySet<string>): string {
  const values = withIsoTime(record);
  const line = EXPORT_COLUMNS.map((column) => values[column] ?? '').join(',');
  return testKeys.size === 0 ? `${line}\n` : `${line},${isTestRecord(record, testKeys) ? 'true' : ''}\n`;
}
