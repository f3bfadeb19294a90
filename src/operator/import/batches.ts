import type { DocumentLimit } from './document-limit.js';
import type { Line, LineReader } from './line-reader.js';
import { parseLine, type ImportKind } from './parse-line.js';
import type { Prepared } from './record-store.js';
import { STORES } from './record-stores.js';
import type { Placed } from './table-order.js';

/** A batch is stored unfilled when the source pauses for longer. */
const PATIENCE_MS = 100;

/** Heap of a record besides its texts, of a row of a second table, of a bad line: measured, roughly. */
const RECORD_BYTES = 512;
const RELATED_BYTES = 160;
const REJECTED_BYTES = 256;

/** A batch is full at either limit; `bytes` is estimated heap. */
export interface BatchLimits {
  readonly records: number;
  readonly bytes: number;
}

export interface BatchOptions {
  readonly strict: boolean;
  readonly limits: BatchLimits;
  /** What the database takes. */
  readonly documents: DocumentLimit;
}

/** A line that was not loaded, as the rejects file holds it. */
export interface Rejected {
  readonly line: number;
  readonly reason: string;
  readonly text: string;
}

/** The first bad line under `--strict`; nothing of its batch was stored. */
export class StrictImportError extends Error {
  constructor({ line, reason }: Rejected) {
    super(`line ${line}: ${reason}`);
  }
}

/** A checked record, ready to be stored; `number` is its line, from 1. */
export interface ReadRecord extends Prepared, Placed {
  readonly number: number;
  /** Its line, in case its creator turns out to be forgotten. */
  readonly text: string;
}

export class Batch<K extends ImportKind> {
  readonly records: ReadRecord[] = [];
  readonly #rejected: Rejected[] = [];
  lines = 0;
  bytesRead = 0;
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
    return this.records.length >= records || this.#bytes >= bytes;
  }

  get rejected(): Rejected[] {
    return this.#rejected.toSorted((a, b) => a.line - b.line);
  }

  /** @throws StrictImportError */
  read(line: Line): void {
    this.lines += 1;
    const parsed = line.problem === null ? parseLine(this.kind, line.text) : { reason: line.problem };
    if ('reason' in parsed) this.#rejectRead(line, parsed.reason);
    else {
      const prepared = STORES[this.kind].prepare(parsed.record);
      const problem = this.options.documents.problemOf(prepared.row.document);
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

  #add({ number, text }: Line, { row, related }: Prepared): void {
    const store = STORES[this.kind];
    const { document } = row;
    // Most files hold JSON as we write it: the same text is then kept once.
    const isDocument = text === document;
    this.records.push({
      number,
      text: isDocument ? document : text,
      row,
      related,
      identity: store.identityOf(row),
      place: store.placeOf(row),
      characters: document.length,
    });
    this.#bytes += bytesOf(document) * (isDocument ? 1 : 2) + RECORD_BYTES + related.length * RELATED_BYTES;
  }
}

/** Reads lines in batches; a slow source does not hold back lines already read. */
export async function* readBatches<K extends ImportKind>(
  kind: K,
  reader: LineReader,
  options: BatchOptions,
): AsyncGenerator<Batch<K>, void> {
  let batch = new Batch(kind, options);
  const take = (): Batch<K> => {
    const taken = batch;
    taken.bytesRead = reader.bytesRead;
    batch = new Batch(kind, options);
    return taken;
  };
  for await (const lines of withPauses(reader.lines())) {
    if (lines === 'pause' && batch.lines > 0) yield take();
    if (lines === 'pause') continue;
    for (const line of lines) {
      batch.read(line);
      if (batch.isFull) yield take();
    }
  }
  if (batch.lines > 0) yield take();
}

/** Yields `pause` on every wait longer than `PATIENCE_MS`. */
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
    const timer = setTimeout(resolve, PATIENCE_MS, true);
    const settled = () => {
      clearTimeout(timer);
      resolve(false);
    };
    // A rejection still reaches whoever awaits `next`.
    next.then(settled, settled);
  });
}

/** Heap of a string: V8 takes one byte a character for Latin-1, else two. */
const bytesOf = (text: string): number => (/[\u0100-\uffff]/.test(text) ? 2 * text.length : text.length);
