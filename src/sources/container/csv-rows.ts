import { CsvError, parse, type Info } from 'csv-parse';
import { BlankRun } from './blank-run.js';
import type { JsonObject } from './envelope.js';
import { MAX_DOCUMENT_BYTES } from './raw-value.js';

/** A row as an object of texts, or why there is none. */
export interface CsvRow {
  readonly line: number;
  readonly row: JsonObject | null;
  readonly text: string;
  readonly problem: string | null;
}

/** Rows of a CSV file with a head, some at a time. */
export async function* csvRows(bytes: AsyncIterable<Buffer>): AsyncGenerator<CsvRow[]> {
  let rows: CsvRow[] = [];
  const parser = parse({
    bom: true,
    columns: true,
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
  const take = (): void => {
    for (let read = parser.read() as Read | null; read !== null; read = parser.read() as Read | null) {
      rows.push({ line: read.info.lines, row: read.record, text: read.raw, problem: null });
    }
  };
  const failed = new Promise<never>((_, reject) => parser.once('error', reject));
  failed.catch(() => undefined);
  const settled = (begin: (done: () => void) => void) => Promise.race([new Promise<void>(begin), failed]);
  // A chunk is written to its end only if its rows are taken meanwhile: the parser holds few.
  parser.on('readable', take);
  const blank = new BlankRun();
  let lastLine = 0;
  for await (const chunk of bytes) {
    // The parser skips empty lines without a word; a chunk holds far fewer than too many of them.
    if (chunk.every(isLineBreak)) blank.add(chunk.length, lastLine + 1);
    else blank.end();
    await settled((done) => parser.write(chunk, () => done()));
    take();
    const taken = rows;
    rows = [];
    lastLine = taken.at(-1)?.line ?? lastLine;
    if (taken.length > 0) yield taken;
  }
  await settled((done) => {
    parser.once('end', done);
    parser.end();
    take();
  });
  if (rows.length > 0) yield rows;
}

const isLineBreak = (byte: number): boolean => byte === 0x0a || byte === 0x0d;

interface Read {
  readonly info: Info;
  readonly record: Record<string, string>;
  readonly raw: string;
}

function problemOf(error: CsvError | undefined): string {
  if (error?.code === 'CSV_QUOTE_NOT_CLOSED') return 'a quote is not closed: the file was cut off';
  if (error?.code === 'CSV_RECORD_INCONSISTENT_COLUMNS') return 'the row has another number of fields than the head';
  return error?.message ?? 'not CSV';
}
