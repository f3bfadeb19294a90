import { setTimeout } from 'node:timers/promises';
import type { Dialect } from '../database/columns.js';
import type { Database, Writer } from '../database/database.js';
import { ReadAhead } from './read-ahead.js';
import type { Line, LineReader } from './line-reader.js';
import { parseLine, type ImportKind } from './parse-line.js';
import { latestInOrder, STORES, type Prepared } from './record-stores.js';
import { forgottenAmong } from './suppression.js';

/** Lines are read in chunks of this many, bad ones included, or of this much memory. */
const CHUNK_LINES = 512;
const CHUNK_BYTES = 640 * 1024;

/** What a record takes in memory besides its text, and each row of a second table: measured, roughly. */
const RECORD_BYTES = 512;
const RELATED_BYTES = 160;

/**
 * Chunks of one transaction, which is also how many are in memory at any time. Large, because its rows are written in
 * the order of their key, so that neighbours share the writing of a page.
 */
const BATCH_CHUNKS: Readonly<Record<Dialect, number>> = { sqlite: 32, mysql: 112 };

/** A batch that its source keeps waiting for longer is stored as it is. */
const PATIENCE_MS = 100;

/** Between two transactions, so that others who wait for the embedded database find it free. */
const TURN_MS = 5;

/** Rows are handed to the database in slices of as many chunks: 1,024 rows, or fewer large ones. */
const SLICE_CHUNKS = 2;

/** A line that was not loaded, as the rejects file holds it. */
export interface Rejected {
  readonly line: number;
  readonly reason: string;
  readonly text: string;
}

export interface ImportOutcome {
  /** Lines behind us, blank ones aside. */
  lines: number;
  loaded: number;
  rejected: number;
}

/** The first bad line under `--strict`; nothing of its batch was stored. */
export class StrictImportError extends Error {
  constructor({ line, reason }: Rejected) {
    super(`line ${line}: ${reason}`);
  }
}

export interface ImportOptions {
  /** Stop at the first bad line. */
  readonly strict: boolean;
  /** Receives the bad lines of each batch once the batch is stored. */
  readonly reject: (rejected: readonly Rejected[]) => Promise<void>;
  readonly progress: (outcome: Readonly<ImportOutcome>) => void;
  /** Ends the import after the batch at hand. */
  readonly signal: AbortSignal;
}

/** A line that can be stored, with its text in case its creator turns out to be forgotten. */
interface ReadRecord extends Prepared {
  readonly number: number;
  readonly text: string;
}

interface Chunk {
  readonly records: ReadRecord[];
  readonly rejected: Rejected[];
  lines: number;
  bytes: number;
}

/** Loads one file: batches in its order, each whole or not at all; as one is written, the next is read. */
export async function importLines<K extends ImportKind>(
  database: Database,
  kind: K,
  reader: LineReader,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const outcome: ImportOutcome = { lines: 0, loaded: 0, rejected: 0 };
  const size = BATCH_CHUNKS[database.dialect];
  const chunks = new ReadAhead(chunksOf(kind, reader, options), size);
  for (let batch = await nextBatch(chunks, size); batch.length > 0; batch = await nextBatch(chunks, size)) {
    const rejected = batch.flatMap((chunk) => chunk.rejected);
    const read = batch.reduce((sum, { lines }) => sum + lines, 0);
    outcome.loaded += await storeBatch(database, kind, batch, chunks, (record) =>
      addRejected(rejected, record, 'suppressed', options.strict),
    );
    outcome.lines += read;
    outcome.rejected += rejected.length;
    if (rejected.length > 0) await options.reject(rejected.sort((a, b) => a.line - b.line));
    options.progress(outcome);
    if (options.signal.aborted) break;
    await setTimeout(TURN_MS);
  }
  return outcome;
}

async function* chunksOf<K extends ImportKind>(
  kind: K,
  reader: LineReader,
  { strict, signal }: ImportOptions,
): AsyncGenerator<Chunk, void> {
  let chunk = emptyChunk();
  for await (const lines of reader.chunks()) {
    for (const line of lines) {
      readLine(kind, line, chunk, strict);
      if (chunk.lines < CHUNK_LINES && chunk.bytes < CHUNK_BYTES) continue;
      yield chunk;
      // A line may be larger than a chunk: empty ones then stand for the memory it takes.
      for (let rest = chunk.bytes - CHUNK_BYTES; rest > CHUNK_BYTES; rest -= CHUNK_BYTES) yield emptyChunk();
      chunk = emptyChunk();
    }
    if (signal.aborted) break;
  }
  if (chunk.lines > 0) yield chunk;
}

function emptyChunk(): Chunk {
  return { records: [], rejected: [], lines: 0, bytes: 0 };
}

function readLine<K extends ImportKind>(kind: K, line: Line, chunk: Chunk, strict: boolean): void {
  if (line.text.trim() === '' && line.problem === null) return;
  chunk.lines += 1;
  const parsed = line.problem === null ? parseLine(kind, line.text) : { reason: line.problem };
  if ('record' in parsed) {
    const { row, related } = STORES[kind].prepare(parsed.record);
    // Most files hold JSON as we write it: the same text is then kept once.
    const stored = row.find((value) => value === line.text);
    const text = typeof stored === 'string' ? stored : line.text;
    chunk.records.push({ number: line.number, text, row, related });
    chunk.bytes += bytesOf(text) * (text === stored ? 1 : 2) + RECORD_BYTES + related.length * RELATED_BYTES;
  } else {
    addRejected(chunk.rejected, line, parsed.reason, strict);
    chunk.bytes += bytesOf(line.text);
  }
}

/** What a string takes in memory. */
const bytesOf = (text: string): number => (/[\u0100-\uffff]/.test(text) ? 2 * text.length : text.length);

/** Up to `size` chunks, as many as come without a pause; none at the end. */
async function nextBatch(chunks: ReadAhead<Chunk>, size: number): Promise<Chunk[]> {
  const batch: Chunk[] = [];
  for (let chunk = await chunks.next(); chunk !== null; chunk = await chunks.next()) {
    batch.push(chunk);
    if (batch.length === size || !(await chunks.isReady(PATIENCE_MS))) break;
  }
  return batch;
}

/**
 * Stores one batch in a transaction.
 * @param chunks is given room for as many chunks as the batch had, as they leave memory
 * @returns how many lines were loaded
 */
async function storeBatch<K extends ImportKind>(
  database: Database,
  kind: K,
  batch: Chunk[],
  chunks: ReadAhead<Chunk>,
  suppress: (record: ReadRecord) => void,
): Promise<number> {
  let room = batch.length;
  const makeRoom = (count: number) => {
    const freed = Math.min(count, room);
    room -= freed;
    chunks.makeMore(freed);
  };
  let loaded = 0;
  await database.write(async (writer) => {
    await writer.lockData();
    const records: ReadRecord[] = [];
    for (const chunk of batch.splice(0)) records.push(...(await notForgotten(writer, kind, chunk.records, suppress)));
    loaded = records.length;
    const waiting = latestInOrder(kind, records.splice(0));
    const sliceRows = Math.ceil((SLICE_CHUNKS * waiting.length) / room);
    while (waiting.length > 0) {
      await STORES[kind].write(writer, waiting.splice(0, sliceRows));
      makeRoom(SLICE_CHUNKS);
    }
  });
  makeRoom(room);
  return loaded;
}

/** Those of the records that may be stored. @param suppress is told of the others */
async function notForgotten(
  writer: Writer,
  kind: ImportKind,
  records: readonly ReadRecord[],
  suppress: (record: ReadRecord) => void,
): Promise<ReadRecord[]> {
  const { creatorsOf } = STORES[kind];
  const isForgotten = await forgottenAmong(writer, records.flatMap(creatorsOf));
  return records.filter((record) => {
    const isSuppressed = creatorsOf(record).some(isForgotten);
    if (isSuppressed) suppress(record);
    return !isSuppressed;
  });
}

function addRejected(
  list: Rejected[],
  { number, text }: Pick<Line, 'number' | 'text'>,
  reason: string,
  strict: boolean,
): void {
  const rejected = { line: number, reason, text };
  if (strict) throw new StrictImportError(rejected);
  list.push(rejected);
}
