import type { Readable } from 'node:stream';
import type { DocumentContext } from '../fragment.js';
import { hasCredentials, CREDENTIALS_PROBLEM, redactSecrets } from './credentials.js';
import { readCsvRows, type Delimiter } from './csv-rows.js';
import type { JsonObject } from '../json-object.js';
import { EMPTY_CONTEXT, unwrap } from './envelope.js';
import { parseJson, TooDeepError } from './json-text.js';
import { TRUNCATED_PROBLEM, HTML_PROBLEM, MAX_EXCERPT_BYTES, type RawValue } from './raw-value.js';
import { LineSplitter, ValueSplitter, type Splitter } from './splitters.js';
import { decompress, UnreadableInputError } from './decompress.js';

/** One value of an input: its documents, or why it has none. `text` is for the file of rejects. */
export interface ReadValue {
  /** Line where the value begins, from 1. */
  readonly line: number;
  /** Index in the array that contains the value, from 0; null outside an array. */
  readonly item: number | null;
  readonly documents: readonly JsonObject[];
  readonly context: DocumentContext;
  readonly skipped: string | null;
  readonly problem: string | null;
  readonly text: string;
}

/** Longer documents are truncated in the file of rejects. */
const MAX_REJECTED_CHARACTERS = 1024 * 1024;

/** Yields the values of an input in batches. The largest document bounds the memory used. @param delimiter that of a table; null for
 * JSON */
export async function* readValues(input: Readable, delimiter: Delimiter | null): AsyncGenerator<ReadValue[]> {
  let lastLine = 0;
  try {
    for await (const values of delimiter === null
      ? readJson(decompress(input))
      : readTable(decompress(input), delimiter)) {
      lastLine = values.at(-1)?.line ?? lastLine;
      yield values;
    }
  } catch (error) {
    if (!(error instanceof UnreadableInputError)) throw error;
    yield [createRejected({ line: lastLine + 1, item: null, text: '' }, error.message)];
  }
}

async function* readTable(bytes: AsyncGenerator<Buffer>, delimiter: Delimiter): AsyncGenerator<ReadValue[]> {
  for await (const rows of readCsvRows(bytes, delimiter)) {
    yield rows.map(({ line, row, text, problem }) =>
      row === null
        ? createRejected({ line, item: null, text }, problem ?? 'invalid CSV')
        : { line, item: null, documents: [row], context: EMPTY_CONTEXT, skipped: null, problem: null, text },
    );
  }
}

async function* readJson(bytes: AsyncGenerator<Buffer>): AsyncGenerator<ReadValue[]> {
  for await (const values of rawValues(bytes)) if (values.length > 0) yield values.map(readValue);
}

function readValue(raw: RawValue): ReadValue {
  const { line, item, text, problem } = raw;
  if (hasCredentials(text)) return createRejected({ ...raw, text: '' }, CREDENTIALS_PROBLEM);
  if (problem !== null) return createRejected(raw, problem);
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    return createRejected(raw, describeJsonError(text, error as Error));
  }
  const unwrapped = unwrap(value);
  if ('problem' in unwrapped) return createRejected(raw, unwrapped.problem);
  if ('skipped' in unwrapped) {
    return { line, item, documents: [], context: EMPTY_CONTEXT, skipped: unwrapped.skipped, problem: null, text };
  }
  return { line, item, documents: unwrapped.documents, context: unwrapped.context, skipped: null, problem: null, text };
}

function createRejected({ line, item, text }: Pick<RawValue, 'line' | 'item' | 'text'>, problem: string): ReadValue {
  return { line, item, documents: [], context: EMPTY_CONTEXT, skipped: null, problem, text: formatRejectedText(text) };
}

/** Formats a text for the file of rejects: truncated, without tokens and keys. */
export const formatRejectedText = (text: string): string => redactSecrets(text.slice(0, MAX_REJECTED_CHARACTERS));

function describeJsonError(text: string, error: Error): string {
  const { message } = error;
  if (error instanceof TooDeepError) return message;
  if (/^\s*</.test(text)) return HTML_PROBLEM;
  return /Unexpected end|Unterminated string/.test(message) ? TRUNCATED_PROBLEM : 'not JSON';
}

/** Yields the values of a file in any layout. An HTML page is one rejected value. */
async function* rawValues(bytes: AsyncGenerator<Buffer>): AsyncGenerator<RawValue[]> {
  let head: Buffer = Buffer.alloc(0);
  let splitter: Splitter | null = null;
  for await (const chunk of bytes) {
    const values: RawValue[] = [];
    if (splitter === null) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const layout = detectLayout(head);
      if (layout === 'html') {
        yield [{ line: 1, item: null, text: head.toString('utf8', 0, MAX_EXCERPT_BYTES), problem: HTML_PROBLEM }];
        return;
      }
      if (layout === 'unclear' && head.length < MAX_HEAD_BYTES) continue;
      splitter = layout === 'values' ? new ValueSplitter() : new LineSplitter();
      splitter.push(head, values);
      head = Buffer.alloc(0);
    } else splitter.push(chunk, values);
    yield values;
  }
  const values: RawValue[] = [];
  if (splitter === null) {
    const isArray = head.toString('latin1').trimStart().startsWith('[');
    splitter = isArray ? new ValueSplitter() : new LineSplitter();
    splitter.push(head, values);
  }
  splitter.end(values);
  yield values;
}

/** Bytes read at most to detect the layout of a file. */
const MAX_HEAD_BYTES = 1024 * 1024;

/**
 * Detects the layout of a file: one value per line, or values over several lines. A file has one value per line if its
 * first line is valid JSON, or if an object begins on the next line.
 */
function detectLayout(head: Buffer): 'lines' | 'values' | 'html' | 'unclear' {
  const text = head.toString('latin1').trimStart();
  if (text === '') return 'unclear';
  if (text.startsWith('<')) return 'html';
  const end = text.indexOf('\n');
  if (end === -1) return text.startsWith('[') && head.length >= MAX_HEAD_BYTES ? 'values' : 'unclear';
  const first = text.slice(0, end).trim();
  const next = text.slice(end).trimStart();
  const isArray = first.startsWith('[');
  if (isJson(first)) return isArray && next === '' ? 'unclear' : 'lines';
  if (/[[{,:]$/.test(first)) return 'values';
  if (next === '') return 'unclear';
  return next.startsWith('{') && !isArray ? 'lines' : 'values';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
