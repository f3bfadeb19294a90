import type { UsageRecord } from '../../../src/receipts/usage-record.js';
import { command } from './command.js';
import type { TestService } from './test-service.js';

/** A row of the export, as an operator gets it. */
export type UsageRow = Omit<UsageRecord, 'occurred_at'> & { readonly occurred_at: string };

/** Days that hold everything. */
export const ALL_DAYS = ['--from', '2000-01-01', '--to', '2099-12-31'] as const;

export const parseExport = (ndjson: string): UsageRow[] =>
  ndjson
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as UsageRow);

/** The usage records of a service, as `usage export` writes them, once those that may come late are there too. */
export async function exported(service: TestService, ...options: readonly string[]): Promise<UsageRow[]> {
  await flush(service);
  const range = options.includes('--from') ? [] : ALL_DAYS;
  const { status, out, err } = await command(
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
 * Records of unknown callers are written some time soon: an answer to a valid key takes along what waits, at the
 * latest the one after the write that was under way. Then days that have passed count as closed.
 */
export async function flush(service: TestService): Promise<void> {
  await service.get('/usage');
  await service.get('/usage');
  await service.publishWatermark();
}

/** The record of one answer. */
export async function recordOf(service: TestService, requestId: unknown): Promise<UsageRow> {
  const rows = (await exported(service)).filter((row) => row.request_id === requestId);
  const [row] = rows;
  if (rows.length !== 1 || row === undefined) throw new Error(`${rows.length} records of ${String(requestId)}`);
  return row;
}
