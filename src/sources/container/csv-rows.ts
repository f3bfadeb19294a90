import { CsvError, parse, type Info } from 'csv-parse';
import { BlankRun } from './blank-run.js';
import type { JsonObject } from '../json-object.js';
import { MAX_DOCUMENT_BYTES, NOT_UTF8_PROBLEM } from './raw-value.js';

/** A row as an object of strings, or the problem with it. */
export interface CsvRow {
  readonly line: number;
  readonly row: JsonObject | null;
  readonly text: string;
  readonly problem: string | null;
}

/** Character between the cells of a row. */
export type Delimiter = ',' | '\t';

/** Yields the rows of a table with a header, in batches. */
export async function* readCsvRows(bytes: AsyncIterable<Buffer>, delimiter: Delimiter): AsyncGenerator<CsvRow[]> {
  let rows: CsvRow[] = [];
  let isUtf8 = true;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const check = (chunk?: Buffer): void => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      isUtf8 = false;
    }
  };
  const parser = parse({
    bom: true,
    columns: true,
    delimiter,
    info: true,
    raw: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: MAX_DOCUMENT_BYTES,
    on_skip: (error, raw) => {
      rows.push({ line: Number(error?.lines ?? 0), row: null, text: raw ?? '', problem: problemOf(error) });
      return undefined;
    },
  });
  const drain = (): void => {
    for (let read = parser.read() as CsvRecord | null; read !== null; read = parser.read() as CsvRecord | null) {
      const { info, record, raw } = read;
      // The parser has replaced invalid bytes, which may make two IDs the same.
      const isDamaged = !isUtf8 && raw.includes('\ufffd');
      rows.push({
        line: info.lines,
        row: isDamaged ? null : record,
        text: raw,
        problem: isDamaged ? NOT_UTF8_PROBLEM : null,
      });
    }
  };
  const failed = new Promise<never>((_, reject) => parser.once('error', reject));
  failed.catch(() => undefined);
  const unlessFailed = (start: (done: () => void) => void) => Promise.race([new Promise<void>(start), failed]);
  // The write of a chunk finishes only if its rows are read meanwhile, because the parser buffers only a few rows.
  parser.on('readable', drain);
  const blank = new BlankRun();
  let lastLine = 0;
  for await (const chunk of bytes) {
    // The parser skips empty lines silently, so count chunks of nothing but line breaks. One chunk is far below the limit.
    if (chunk.every(isLineBreak)) blank.add(chunk.length, lastLine + 1);
    else blank.reset();
    check(chunk);
    await unlessFailed((done) => parser.write(chunk, () => done()));
    drain();
    const batch = rows;
    rows = [];
    lastLine = batch.at(-1)?.line ?? lastLine;
    if (batch.length > 0) yield batch;
  }
  check();
  await unlessFailed((done) => {
    parser.once('end', done);
    parser.end();
    drain();
  });
  if (rows.length > 0) yield rows;
}

const isLineBreak = (byte: number): boolean => byte === 0x0a || byte === 0x0d;

interface CsvRecord {
  readonly info: Info;
  readonly record: Record<string, string>;
  readonly raw: string;
}

function problemOf(error: CsvError | undefined): string {
  if (error?.code === 'CSV_QUOTE_NOT_CLOSED') return 'a quote is not closed: the file may be cut off';
  if (error?.code === 'CSV_RECORD_INCONSISTENT_COLUMNS') return 'the number of fields differs from the header';
  return error?.message ?? 'invalid CSV';
}
