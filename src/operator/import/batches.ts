import { setImmediate } from 'node:timers/promises';
import type { DocumentLimit } from './document-limit.js';
import type { Line, LinePosition, LineReader } from './line-reader.js';
import { parseLine, type ImportKind } from './parse-line.js';
import type { PreparedRecord } from './prepared-record.js';
import { RECORD_STORES } from './record-stores.js';
import { sortByTableKey, type KeyedRecord } from './table-order.js';

/** If the source pauses for longer, an incomplete batch is stored. */
const MAX_PAUSE_MS = 100;

/** Lines to parse before the event loop gets a turn. */
const LINES_AT_A_TIME = 16;

/** Estimated heap bytes of a record without its texts, of a row of a second table, and of a rejected line. */
const RECORD_BYTES = 512;
const RELATED_BYTES = 160;
const REJECTED_BYTES = 256;

/** A batch is full when it reaches either limit. `bytes` is estimated heap. */
export interface BatchLimits {
  readonly records: number;
  readonly bytes: number;
}

export interface BatchOptions {
  readonly strict: boolean;
  readonly limits: BatchLimits;
  readonly maxLineBytes: number;
  /** Limit of the length of documents. */
  readonly documents: DocumentLimit;
  /** Number of a line after which a batch ends. */
  readonly breakAfter: number;
}

/** A rejected line in the form of the rejects file. */
export interface RejectedLine {
  readonly line: number;
  readonly reason: string;
  readonly text: string;
}

/** The first bad line under `--strict`; nothing of its batch was stored. */
export class StrictImportError extends Error {
  constructor({ line, reason }: RejectedLine) {
    super(`line ${line}: ${reason}`);
  }
}

/** A valid record, ready to be stored. `number` is its line, from 1. */
export interface ParsedRecord extends PreparedRecord, KeyedRecord {
  readonly number: number;
  /** Text of the line, for the rejects file in case the creator was forgotten. */
  readonly text: string;
}

/** Records of one transaction, and the rejected lines between them. */
export class ImportBatch<K extends ImportKind> {
  /** In the order of the table; empty until the batch is complete. */
  records: readonly ParsedRecord[] = [];
  readonly #parsed: ParsedRecord[] = [];
  readonly #rejected: RejectedLine[] = [];
  lines = 0;
  bytesRead = 0;
  /** Position after the last line. */
  end: LinePosition = { line: 0, offset: 0 };
  #bytes = 0;

  constructor(
    private readonly kind: K,
    private readonly options: BatchOptions,
  ) {}

  get isStrict(): boolean {
    return this.options.strict;
  }

  get isFull(): boolean {
    const { records, bytes } = this.options.limits;
    return this.#parsed.length >= records || this.#bytes >= bytes;
  }

  get rejected(): RejectedLine[] {
    return this.#rejected.toSorted((a, b) => a.line - b.line);
  }

  /** Sorts the records, while the database still writes the batch before. */
  complete(bytesRead: number): void {
    this.bytesRead = bytesRead;
    this.records = sortByTableKey(this.#parsed);
  }

  /** Parses a line, and adds or rejects its record. @throws StrictImportError */
  addLine(line: Line): void {
    this.lines += 1;
    this.end = { line: line.number, offset: line.end };
    const parsed =
      line.problem === null ? parseLine(this.kind, line.text, this.options.maxLineBytes) : { reason: line.problem };
    if ('reason' in parsed) this.#rejectRead(line, parsed.reason);
    else {
      const prepared = RECORD_STORES[this.kind].prepare(parsed.record);
      const problem = this.options.documents.findProblem(prepared.row.document);
      if (problem === null) this.#add(line, prepared);
      else this.#rejectRead(line, problem);
    }
  }

  #rejectRead(line: Line, reason: string): void {
    this.reject(line, reason);
    this.#bytes += 2 * line.text.length + REJECTED_BYTES;
  }

  /** @throws StrictImportError */
  reject({ number, text }: Pick<Line, 'number' | 'text'>, reason: string): void {
    const rejected = { line: number, reason, text };
    if (this.options.strict) throw new StrictImportError(rejected);
    this.#rejected.push(rejected);
  }

  #add({ number, text }: Line, { row, related }: PreparedRecord): void {
    const store = RECORD_STORES[this.kind];
    const { document } = row;
    const identity = store.identityOf(row);
    // Most files contain canonical JSON: then keep only one copy of the text.
    const isCanonical = text === document;
    this.#parsed.push({
      number,
      text: isCanonical ? document : text,
      row,
      related,
      identity,
      sortKey: store.sortKeyOf?.(row) ?? identity,
      characters: document.length,
    });
    this.#bytes += heapBytes(document) * (isCanonical ? 1 : 2) + RECORD_BYTES + related.length * RELATED_BYTES;
  }
}

/** Yields lines in batches. When the source pauses, it yields the lines read so far. */
export async function* readBatches<K extends ImportKind>(
  kind: K,
  reader: LineReader,
  options: BatchOptions,
): AsyncGenerator<ImportBatch<K>, void> {
  let batch = new ImportBatch(kind, options);
  const finishBatch = (): ImportBatch<K> => {
    const finished = batch;
    finished.complete(reader.bytesRead);
    batch = new ImportBatch(kind, options);
    return finished;
  };
  for await (const lines of withPauses(reader.lines())) {
    if (lines === 'pause' && batch.lines > 0) yield finishBatch();
    if (lines === 'pause') continue;
    for (const [index, line] of lines.entries()) {
      // The event loop sends the next statement of the batch before, so that the database does not wait.
      if (index % LINES_AT_A_TIME === 0) await setImmediate();
      batch.addLine(line);
      if (batch.isFull || line.number === options.breakAfter) yield finishBatch();
    }
  }
  if (batch.lines > 0) yield finishBatch();
}

/** Yields `pause` before every item that takes longer than `MAX_PAUSE_MS`. */
async function* withPauses<T>(source: AsyncGenerator<T, void>): AsyncGenerator<T | 'pause', void> {
  for (;;) {
    const next = source.next();
    if (await isSlow(next)) yield 'pause';
    const { value } = await next;
    if (value === undefined) return;
    yield value;
  }
}

function isSlow(next: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, MAX_PAUSE_MS, true);
    const settled = () => {
      clearTimeout(timer);
      resolve(false);
    };
    // The caller awaits `next` and gets its rejection.
    next.then(settled, settled);
  });
}

/** Estimates the heap bytes of a string: V8 uses one byte per character for Latin-1, otherwise two. */
const heapBytes = (text: string): number => (/[\u0100-\uffff]/.test(text) ? 2 * text.length : text.length);
