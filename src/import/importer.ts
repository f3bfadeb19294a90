import { setTimeout } from 'node:timers/promises';
import type { Database, Writer } from '../database/database.js';
import { ReadAhead } from './read-ahead.js';
import type { Line, LineReader } from './line-reader.js';
import { parseLine, type ImportKind } from './parse-line.js';
import { STORES, type Prepared } from './record-stores.js';
import { forgottenAmong } from './suppression.js';

/**
 * Lines of one transaction, bad ones included, and their characters. Large, because neighbours in an index share the
 * writing of its pages: the embedded database loads a million profiles a quarter faster than in batches of 4,000.
 */
const BATCH_LINES = 16_000;
const BATCH_CHARACTERS = 16 * 1024 * 1024;

/** A transaction takes its lines in chunks of this many, or of this much text: few are in memory at any time. */
const CHUNK_LINES = 500;
const CHUNK_CHARACTERS = 512 * 1024;

/** Chunks that are read while one is written. */
const READ_AHEAD = 2;

/** A transaction ends early when its source pauses longer: it holds the lock that other writers wait for. */
const PATIENCE_MS = 100;

/** Between two transactions, so that others who wait for the embedded database find it free. */
const TURN_MS = 5;

/** A line that was not loaded, as the rejects file holds it. */
export interface Rejected {
  readonly line: number;
  readonly reason: string;
  readonly text: string;
}

export interface ImportOutcome {
  lines: number;
  loaded: number;
  rejected: number;
}

/** The first bad line of a strict import; nothing of its batch was loaded. */
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

/** Lines that were read, and what became of them. */
interface Chunk {
  readonly records: { line: Line; prepared: Prepared }[];
  readonly rejected: Rejected[];
  lines: number;
  characters: number;
}

/** Loads one file: batches in its order, each whole or not at all; while one chunk is written, the next are read. */
export async function importLines<K extends ImportKind>(
  database: Database,
  kind: K,
  reader: LineReader,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const outcome: ImportOutcome = { lines: 0, loaded: 0, rejected: 0 };
  const chunks = new ReadAhead(chunksOf(kind, reader, options), READ_AHEAD);
  for (let chunk = await chunks.next(); chunk !== null; chunk = await chunks.next()) {
    await storeBatch(database, kind, chunk, chunks, options, outcome);
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
      if (chunk.lines < CHUNK_LINES && chunk.characters < CHUNK_CHARACTERS) continue;
      yield chunk;
      chunk = emptyChunk();
    }
    if (signal.aborted) break;
  }
  if (chunk.lines > 0) yield chunk;
}

function emptyChunk(): Chunk {
  return { records: [], rejected: [], lines: 0, characters: 0 };
}

function readLine<K extends ImportKind>(kind: K, line: Line, chunk: Chunk, strict: boolean): void {
  if (line.text.trim() === '' && line.problem === null) return;
  chunk.lines += 1;
  chunk.characters += line.text.length;
  const parsed = line.problem === null ? parseLine(kind, line.text) : { reason: line.problem };
  if ('record' in parsed) chunk.records.push({ line, prepared: STORES[kind].prepare(parsed.record) });
  else addRejected(chunk.rejected, line, parsed.reason, strict);
}

/** Stores one batch in a transaction: a first chunk, and those that follow without a pause. */
async function storeBatch<K extends ImportKind>(
  database: Database,
  kind: K,
  first: Chunk,
  more: ReadAhead<Chunk>,
  { strict, reject, progress }: ImportOptions,
  outcome: ImportOutcome,
): Promise<void> {
  const rejected: Rejected[] = [];
  const batch = { lines: 0, characters: 0, loaded: 0 };
  await database.write(async (writer) => {
    await writer.lockData();
    for (let chunk: Chunk | null = first; chunk !== null; chunk = await more.next()) {
      batch.lines += chunk.lines;
      batch.characters += chunk.characters;
      rejected.push(...chunk.rejected);
      batch.loaded += await storeChunk(writer, kind, chunk, (line) =>
        addRejected(rejected, line, 'suppressed', strict),
      );
      if (batch.lines >= BATCH_LINES || batch.characters >= BATCH_CHARACTERS) break;
      if (!(await more.isReady(PATIENCE_MS))) break;
    }
  });
  if (rejected.length > 0) await reject(rejected.sort((a, b) => a.line - b.line));
  outcome.lines += batch.lines;
  outcome.loaded += batch.loaded;
  outcome.rejected += rejected.length;
  progress(outcome);
}

/** @returns how many lines were loaded */
async function storeChunk<K extends ImportKind>(
  writer: Writer,
  kind: K,
  { records }: Chunk,
  suppress: (line: Line) => void,
): Promise<number> {
  const isForgotten = await forgottenAmong(
    writer,
    records.flatMap(({ prepared }) => prepared.creators),
  );
  const latest = new Map<string, Prepared>();
  let loaded = 0;
  for (const { line, prepared } of records) {
    if (prepared.creators.some(isForgotten)) {
      suppress(line);
      continue;
    }
    latest.set(prepared.key, prepared);
    loaded += 1;
  }
  if (latest.size > 0) await STORES[kind].write(writer, [...latest.values()]);
  return loaded;
}

function addRejected(list: Rejected[], line: Line, reason: string, strict: boolean): void {
  const rejected = { line: line.number, reason, text: line.text };
  if (strict) throw new StrictImportError(rejected);
  list.push(rejected);
}
