import { setTimeout } from 'node:timers/promises';
import { DOCUMENT } from '../../database/columns.js';
import type { Database, Writer } from '../../database/database.js';
import type { EntityClass, SqlValue } from '../../database/statements.js';
import { LOCK_YIELD_MS } from '../import/importer.js';
import { platformCode, PLATFORMS } from '../../model/platforms.js';
import { parseRecord, type ParsedLine } from '../import/parse-line.js';
import type { PreparedRecord } from '../import/prepared-record.js';
import { RECORD_STORES } from '../import/record-stores.js';
import { Revisions } from '../import/revisions.js';
import {
  initialProgress,
  readProgress,
  removeProgress,
  writeProgress,
  type ReindexProgress,
} from './reindex-progress.js';
import { REINDEX_SOURCES, type ReindexKind } from './reindex-sources.js';

/** Records per transaction. Imports wait for the transaction. */
export const DEFAULT_BATCH_RECORDS = 2048;

/** Bytes of documents per transaction, to bound memory. */
const BATCH_BYTES = 8 * 1024 * 1024;

/** Records per read. Each can have 1 MiB. */
const READ_RECORDS = 64;

/** Number of skipped records whose IDs are kept. */
const MAX_LISTED = 5;

export interface ReindexOptions {
  /** Identifies the code that derives the columns: version and newest migration. */
  readonly schema: string;
  readonly batchRecords: number;
  /** Called after each batch. */
  readonly progress: (soFar: ReindexProgress) => void;
  /** Stops the reindex after the current batch. */
  readonly signal: AbortSignal;
}

type Value = SqlValue | Buffer;

/** A stored row: values by column. */
type StoredRow = Readonly<Record<string, Value>>;

/** Result of a reindex. `isComplete` is false if a signal stopped it. */
export interface ReindexResult {
  readonly progress: ReindexProgress;
  readonly isComplete: boolean;
}

/**
 * Derives the columns of stored records from their documents again. Each batch is written with its progress in one
 * transaction that holds the writers' lock, so it never pairs a new document with columns of an older one.
 */
export async function reindex(
  database: Database,
  kind: ReindexKind,
  { schema, batchRecords, progress, signal }: ReindexOptions,
): Promise<ReindexResult> {
  let current: ReindexResult = { progress: await resumeProgress(database, kind, schema), isComplete: false };
  while (!current.isComplete && !signal.aborted) {
    const before = current.progress;
    current = await database.write(async (writer) => {
      await writer.lockData();
      return reindexBatch(writer, kind, before, batchRecords);
    });
    progress(current.progress);
    await setTimeout(LOCK_YIELD_MS);
  }
  return current;
}

/** Returns the progress of an interrupted reindex, if it ran with the same schema; otherwise a new start. */
export async function resumeProgress(database: Database, kind: ReindexKind, schema: string): Promise<ReindexProgress> {
  const interrupted = await readProgress(database, kind);
  return interrupted?.schema === schema ? interrupted : initialProgress(schema);
}

async function reindexBatch(
  writer: Writer,
  kind: ReindexKind,
  before: ReindexProgress,
  batchRecords: number,
): Promise<ReindexResult> {
  const revisions = new Revisions(writer, true);
  let { after, records, changed, unreadable, firstUnreadable } = before;
  let [count, bytes] = [0, 0];
  let isComplete = false;
  while (!isComplete && count < batchRecords && bytes < BATCH_BYTES) {
    const limit = Math.min(READ_RECORDS, batchRecords - count);
    const read = await readRows(writer, kind, after, limit);
    const rows = read.slice(0, limit);
    isComplete = read.length <= limit;
    const derived = rows.map((row) => ({ row, prepared: deriveRecord(kind, row) }));
    const outdated = derived.flatMap(({ row, prepared }) =>
      prepared !== null && isOutdated(row, prepared) ? [prepared] : [],
    );
    if (outdated.length > 0) await RECORD_STORES[kind].write(writer, outdated, revisions);
    changed += outdated.length;
    const skipped = derived.filter(({ prepared }) => prepared === null);
    unreadable += skipped.length;
    firstUnreadable = [...firstUnreadable, ...skipped.map(({ row }) => describeKey(kind, row))].slice(0, MAX_LISTED);
    count += rows.length;
    bytes += rows.reduce((sum, row) => sum + documentOf(row).length, 0);
    after = keyOf(kind, rows.at(-1)) ?? after;
  }
  records += count;
  const progress = { ...before, after, records, changed, unreadable, firstUnreadable };
  await (isComplete ? removeProgress(writer, kind) : writeProgress(writer, kind, progress));
  return { progress, isComplete };
}

/** Reads the next rows with all columns, and one more if further rows follow. */
function readRows(
  writer: Writer,
  kind: ReindexKind,
  after: ReindexProgress['after'],
  limit: number,
): Promise<StoredRow[]> {
  const { entity, keys } = REINDEX_SOURCES[kind];
  const columns = writer.dataSource.getMetadata(entity).columns.map(({ propertyName }) => propertyName);
  const rows = entity as EntityClass<StoredRow>;
  const list = writer.list<StoredRow, string, string>({ entity: rows, filters: [], keys, columns });
  return writer.page(list, { filters: [], after, limit });
}

const documentOf = (row: StoredRow): Buffer => row[DOCUMENT] as Buffer;

function keyOf(kind: ReindexKind, row: StoredRow | undefined): ReindexProgress['after'] {
  if (row === undefined) return null;
  return Object.fromEntries(REINDEX_SOURCES[kind].keys.map((column) => [column, scalarOf(row[column])]));
}

/** Converts a key column to a scalar. MySQL returns IDs as bytes. */
const scalarOf = (value: Value | undefined): SqlValue => (typeof value === 'number' ? value : String(value));

/** Describes a record for the operator, such as `live_platform 42`. */
function describeKey(kind: ReindexKind, row: StoredRow): string {
  const keys = Object.entries(keyOf(kind, row) ?? {});
  return keys.map(([column, value]) => (column === 'platform' ? platformName(Number(value)) : value)).join(' ');
}

const platformName = (code: number): string =>
  PLATFORMS.find((platform) => platformCode(platform) === code) ?? String(code);

/** Derives a record from its stored document, whose missing members become null. @returns null if the document is damaged, is
 * that of another record, or would be rejected by an import today */
function deriveRecord(kind: ReindexKind, row: StoredRow): PreparedRecord | null {
  const document = String(documentOf(row));
  const read = parseDocument(kind, row, document);
  if ('reason' in read) return null;
  const { keys, kept = [] } = REINDEX_SOURCES[kind];
  const again = RECORD_STORES[kind].prepare(read.record as never, document);
  const values = Object.fromEntries(kept.map((column) => [column, row[column] ?? null]));
  const prepared = { ...again, row: { ...again.row, ...values } };
  const derived = prepared.row as StoredRow;
  return keys.every((key) => isSame(row[key] ?? null, derived[key] ?? null)) ? prepared : null;
}

function parseDocument(kind: ReindexKind, row: StoredRow, document: string): ParsedLine<ReindexKind> {
  try {
    const parsed = JSON.parse(document) as object;
    return parseRecord(kind, REINDEX_SOURCES[kind].lineOf?.(row, parsed) ?? parsed);
  } catch {
    return { reason: 'not JSON' };
  }
}

/** Returns whether a row must be written: to derive its columns again, or to give it its first revision. Rows of a second table
 * are not compared, so a record with any is always written. */
function isOutdated(row: StoredRow, { row: derived, related }: PreparedRecord): boolean {
  return (
    related.length > 0 ||
    Number(row.revision) === 0 ||
    Object.entries<SqlValue>({ ...derived }).some(([column, value]) => !isSame(row[column] ?? null, value))
  );
}

/** Compares values as text, because drivers return large integers and bytes in several forms. */
const isSame = (stored: Value, derived: Value): boolean =>
  stored === null || derived === null ? stored === derived : String(stored) === String(derived);
