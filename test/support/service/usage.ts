import type { UsageRecord } from '../../../src/receipts/usage-record.js';
import { runInProcess } from './command.js';
import type { TestService } from './test-service.js';

/** A row of the export. */
export type UsageRow = Omit<UsageRecord, 'occurred_at'> & { readonly occurred_at: string };

/** Options for a range that includes all days. */
export const ALL_DAYS = ['--from', '2000-01-01', '--to', '2099-12-31'] as const;

export const parseExport = (ndjson: string): UsageRow[] =>
  ndjson
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as UsageRow);

/** Returns the usage records of a service, as `usage export` writes them, after flushing them. */
export async function exportedRecords(service: TestService, ...options: readonly string[]): Promise<UsageRow[]> {
  await flushUsage(service);
  const range = options.includes('--from') ? [] : ALL_DAYS;
  const { status, out, err } = await runInProcess(
    service.testDatabase,
    'usage',
    'export',
    '--format',
    'ndjson',
    ...range,
    ...options,
  );
  if (status !== 0) throw new Error(err);
  return parseExport(out);
}

/**
 * Waits until the records of unknown callers are stored, and past days are closed. Such records are written with the
 * next answer to a valid key, at the latest the one after the write in flight.
 */
export async function flushUsage(service: TestService): Promise<void> {
  await service.get('/usage');
  await service.get('/usage');
  await service.publishWatermark();
}

/** Returns the record of one answer. */
export async function recordOf(service: TestService, requestId: unknown): Promise<UsageRow> {
  const rows = (await exportedRecords(service)).filter((row) => row.request_id === requestId);
  const [row] = rows;
  if (rows.length !== 1 || row === undefined) throw new Error(`${rows.length} records of ${String(requestId)}`);
  return row;
}
