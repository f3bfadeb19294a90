import type { SqlValue } from '../../database/statements.js';
import { SpillFile } from './spill-file.js';
import type { Prepared, Row } from './stored-rows.js';

/** A record that was read from a file. */
export interface ReadRecord extends Prepared {
  /** Of its line, from 1. */
  readonly number: number;
  /** Its line, in case its creator turns out to be forgotten. */
  readonly text: string;
}

/** Keeps records, to be taken out in another order. */
export interface RecordBuffer {
  /** @returns how many bytes it takes */
  add(record: ReadRecord): number;
  /** The record that was added as the `at`th, from 0. Each can be taken once. */
  take(at: number): ReadRecord;
  close(): void;
}

/** What a record takes in memory besides its texts, and each row of a second table: measured, roughly. */
const RECORD_BYTES = 512;
const RELATED_BYTES = 160;

/** Keeps them as they are. */
export class RecordsInMemory implements RecordBuffer {
  readonly #records: (ReadRecord | null)[] = [];

  add({ number, text, row, related }: ReadRecord): number {
    const document = documentOf(row);
    // Most files hold JSON as we write it: the same text is then kept once.
    const isDocument = text === document;
    this.#records.push({ number, text: isDocument ? document : text, row, related });
    return bytesOf(document) * (isDocument ? 1 : 2) + RECORD_BYTES + related.length * RELATED_BYTES;
  }

  take(at: number): ReadRecord {
    const record = this.#records[at] ?? null;
    if (record === null) throw new Error('this record was taken before');
    this.#records[at] = null;
    return record;
  }

  close(): void {
    this.#records.length = 0;
  }
}

/** A value of a record whose document is kept apart, and `true` in its place. */
type Marked = SqlValue | true;
type Head = readonly [number, row: readonly Marked[], related: readonly (readonly Marked[])[], text: string | true];

const NEWLINE = 0x0a;

/** Keeps them in a file: what is not the document as JSON in one line, then the document. */
export class RecordsAside implements RecordBuffer {
  readonly #file = new SpillFile();
  readonly #ends: number[] = [];

  add({ number, text, row, related }: ReadRecord): number {
    const start = this.#file.bytes;
    const document = documentOf(row);
    const marked = (values: Row): Marked[] => values.map((value) => (value === document ? true : value));
    const head: Head = [number, marked(row), related.map(marked), text === document ? true : text];
    this.#file.append(`${JSON.stringify(head)}\n${document}`);
    this.#ends.push(this.#file.bytes);
    return this.#file.bytes - start;
  }

  take(at: number): ReadRecord {
    const bytes = this.#file.read(this.#ends[at - 1] ?? 0, this.#ends[at] ?? 0);
    const end = bytes.indexOf(NEWLINE);
    const document = bytes.toString('utf8', end + 1);
    const [number, row, related, text] = JSON.parse(bytes.toString('utf8', 0, end)) as Head;
    const unmarked = (values: readonly Marked[]): Row => values.map((value) => (value === true ? document : value));
    return { number, text: text === true ? document : text, row: unmarked(row), related: related.map(unmarked) };
  }

  close(): void {
    this.#file.close();
  }
}

const documentOf = (row: Row): string => String(row.at(-1));

/** What a string takes in memory. */
const bytesOf = (text: string): number => (/[\u0100-\uffff]/.test(text) ? 2 * text.length : text.length);
