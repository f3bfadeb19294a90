import type { Database } from '../database/database.js';
import type { Line, LineReader } from './line-reader.js';
import { parseLine, type ImportKind } from './parse-line.js';
import { STORES, type Prepared } from './record-stores.js';
import { forgottenAmong } from './suppression.js';

/** Lines of one transaction, bad ones included: enough that its own cost does not matter, few enough that other writers get their turn. */
const BATCH_LINES = 4000;

/** And never more text than this, whatever the records' size. */
const BATCH_CHARACTERS = 4 * 1024 * 1024;

/** Batches that are read while one is written. */
const READ_AHEAD = 2;

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

interface Batch {
  readonly records: { line: Line; prepared: Prepared }[];
  readonly rejected: Rejected[];
  lines: number;
  characters: number;
}

/** Loads one file: batches in its order, each whole or not at all; while one is written, the next is read. */
export async function importLines<K extends ImportKind>(
  database: Database,
  kind: K,
  reader: LineReader,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const outcome: ImportOutcome = { lines: 0, loaded: 0, rejected: 0 };
  const writes = new WriteQueue();
  let batch = emptyBatch();

  const flush = async (): Promise<void> => {
    const full = batch;
    batch = emptyBatch();
    await writes.add(() => storeBatch(database, kind, full, options, outcome));
  };

  try {
    for await (const lines of reader.chunks()) {
      for (const line of lines) {
        readLine(kind, line, batch, options.strict);
        if (batch.lines >= BATCH_LINES || batch.characters >= BATCH_CHARACTERS) await flush();
      }
      if (options.signal.aborted) break;
    }
    await flush();
  } finally {
    // Also after an error: the batches before it are stored whole.
    await writes.finished();
  }
  return outcome;
}

/** Writes one batch after the other, in order, while the lines of the next ones are read. */
class WriteQueue {
  readonly #pending: Promise<void>[] = [];

  /** Resolves as soon as there is room for another batch. @throws what an earlier batch failed with */
  async add(write: () => Promise<void>): Promise<void> {
    const result = (this.#pending.at(-1) ?? Promise.resolve()).then(write);
    // Whoever awaits it sees the error; until then it must not count as unhandled.
    result.catch(() => undefined);
    this.#pending.push(result);
    if (this.#pending.length > READ_AHEAD) await this.#pending.shift();
  }

  async finished(): Promise<void> {
    await Promise.all(this.#pending);
  }
}

function emptyBatch(): Batch {
  return { records: [], rejected: [], lines: 0, characters: 0 };
}

function readLine<K extends ImportKind>(kind: K, line: Line, batch: Batch, strict: boolean): void {
  if (line.text.trim() === '' && line.problem === null) return;
  batch.lines += 1;
  batch.characters += line.text.length;
  const parsed = line.problem === null ? parseLine(kind, line.text) : { reason: line.problem };
  if ('record' in parsed) batch.records.push({ line, prepared: STORES[kind].prepare(parsed.record) });
  else addRejected(batch.rejected, line, parsed.reason, strict);
}

async function storeBatch<K extends ImportKind>(
  database: Database,
  kind: K,
  batch: Batch,
  { strict, reject, progress }: ImportOptions,
  outcome: ImportOutcome,
): Promise<void> {
  const rejected = [...batch.rejected];
  let loaded = 0;
  if (batch.records.length > 0) {
    await database.write(async (writer) => {
      await writer.lockData();
      const isForgotten = await forgottenAmong(
        writer,
        batch.records.flatMap(({ prepared }) => prepared.creators),
      );
      const latest = new Map<string, Prepared>();
      for (const { line, prepared } of batch.records) {
        if (prepared.creators.some(isForgotten)) {
          addRejected(rejected, line, 'suppressed', strict);
          continue;
        }
        latest.set(prepared.key, prepared);
        loaded += 1;
      }
      if (latest.size > 0) await STORES[kind].write(writer, [...latest.values()]);
    });
  }
  if (rejected.length > 0) await reject(rejected.sort((a, b) => a.line - b.line));
  outcome.lines += batch.lines;
  outcome.loaded += loaded;
  outcome.rejected += rejected.length;
  progress(outcome);
}

function addRejected(list: Rejected[], line: Line, reason: string, strict: boolean): void {
  const rejected = { line: line.number, reason, text: line.text };
  if (strict) throw new StrictImportError(rejected);
  list.push(rejected);
}
