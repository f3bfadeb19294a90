import { setTimeout } from 'node:timers/promises';
import { DOCUMENT } from '../../database/columns.js';
import type { Database, Writer } from '../../database/database.js';
import type { EntityClass, SqlValue } from '../../database/statements.js';
import { TURN_MS } from '../import/importer.js';
import { readRecord } from '../import/parse-line.js';
import type { Prepared } from '../import/record-store.js';
import { STORES } from '../import/record-stores.js';
import { begun, readProgress, removeProgress, writeProgress, type ReindexProgress } from './progress.js';
import { SOURCES, type ReindexKind } from './sources.js';

/** Records of one transaction. Imports wait for as long as one takes. */
export const BATCH_RECORDS = 2048;

/** Text of one transaction, to bound memory. */
const BATCH_BYTES = 8 * 1024 * 1024;

/** Records that are read at once: each may have 1 MiB. */
const READ_RECORDS = 64;

export interface ReindexOptions {
  /** What derives the columns: the newest migration and the version. */
  readonly schema: string;
  readonly batchRecords: number;
  /** Called after each batch. */
  readonly progress: (soFar: ReindexProgress) => void;
  /** Ends the reindex after the current batch. */
  readonly signal: AbortSignal;
}

type Value = SqlValue | Buffer;

/** A stored row by column. */
type Row = Readonly<Record<string, Value>>;

/** What a reindex has done; not over where a signal ended it. */
export interface Reindexed {
  readonly progress: ReindexProgress;
  readonly isOver: boolean;
}

/**
 * Derives the columns of stored records from their documents again. Each batch and its progress are one transaction under
 * the lock of all writers, so a record that an import replaces meanwhile is derived from its new document.
 */
export async function reindex(
  database: Database,
  kind: ReindexKind,
  { schema, batchRecords, progress, signal }: ReindexOptions,
): Promise<Reindexed> {
  let current: Reindexed = { progress: await startOf(database, kind, schema), isOver: false };
  while (!current.isOver && !signal.aborted) {
    const before = current.progress;
    current = await database.write(async (writer) => {
      await writer.lockData();
      return reindexBatch(writer, kind, before, batchRecords);
    });
    progress(current.progress);
    await setTimeout(TURN_MS);
  }
  return current;
}

/** Where a reindex of this kind starts: where an interrupted one ended, if it derived the same columns. */
export async function startOf(database: Database, kind: ReindexKind, schema: string): Promise<ReindexProgress> {
  const interrupted = await readProgress(database, kind);
  return interrupted?.schema === schema ? interrupted : begun(schema);
}

async function reindexBatch(
  writer: Writer,
  kind: ReindexKind,
  before: ReindexProgress,
  batchRecords: number,
): Promise<Reindexed> {
  let { after, records, changed, unreadable } = before;
  let [taken, bytes] = [0, 0];
  let isOver = false;
  while (!isOver && taken < batchRecords && bytes < BATCH_BYTES) {
    const limit = Math.min(READ_RECORDS, batchRecords - taken);
    const read = await readRows(writer, kind, after, limit);
    const rows = read.slice(0, limit);
    isOver = read.length <= limit;
    const derived = rows.map((row) => ({ row, prepared: derivedOf(kind, row) }));
    const outdated = derived.flatMap(({ row, prepared }) =>
      prepared !== null && isOutdated(row, prepared) ? [prepared] : [],
    );
    if (outdated.length > 0) await STORES[kind].write(writer, outdated);
    changed += outdated.length;
    unreadable += derived.filter(({ prepared }) => prepared === null).length;
    taken += rows.length;
    bytes += rows.reduce((sum, row) => sum + documentOf(row).length, 0);
    after = keyOf(kind, rows.at(-1)) ?? after;
  }
  records += taken;
  const progress = { ...before, after, records, changed, unreadable };
  await (isOver ? removeProgress(writer, kind) : writeProgress(writer, kind, progress));
  return { progress, isOver };
}

/** The next rows with all their columns, and one more if others follow. */
function readRows(writer: Writer, kind: ReindexKind, after: ReindexProgress['after'], limit: number): Promise<Row[]> {
  const { entity, keys } = SOURCES[kind];
  const columns = writer.dataSource.getMetadata(entity).columns.map(({ propertyName }) => propertyName);
  const rows = entity as EntityClass<Row>;
  const list = writer.list<Row, string, string>({ entity: rows, filters: [], keys, columns });
  return writer.page(list, { filters: [], after, limit });
}

const documentOf = (row: Row): Buffer => row[DOCUMENT] as Buffer;

function keyOf(kind: ReindexKind, row: Row | undefined): ReindexProgress['after'] {
  if (row === undefined) return null;
  return Object.fromEntries(SOURCES[kind].keys.map((column) => [column, scalarOf(row[column])]));
}

/** IDs are bytes on MySQL. */
const scalarOf = (value: Value | undefined): SqlValue => (typeof value === 'number' ? value : String(value));

/** A record as it is stored now; null where its document is not one that an import takes today. Members that a document
 * lacks are unknown. */
function derivedOf(kind: ReindexKind, row: Row): Prepared | null {
  const document = String(documentOf(row));
  const read = readRecord(kind, JSON.parse(document) as object);
  return 'reason' in read ? null : STORES[kind].prepare(read.record as never, document);
}

/** Rows of a second table are not compared, but written. */
function isOutdated(row: Row, { row: derived, related }: Prepared): boolean {
  return (
    related.length > 0 ||
    Object.entries<SqlValue>({ ...derived }).some(([column, value]) => !isSame(row[column] ?? null, value))
  );
}

/** Databases give large integers and bytes in several forms. */
const isSame = (stored: Value, derived: Value): boolean =>
  stored === null || derived === null ? stored === derived : String(stored) === String(derived);
