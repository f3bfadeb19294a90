import type { Readable } from 'node:stream';
import type { DocumentContext } from '../fragment.js';
import { carriesCredentials, CREDENTIALS, withoutSecrets } from './credentials.js';
import { csvRows } from './csv-rows.js';
import { NO_CONTEXT, unwrap, type JsonObject } from './envelope.js';
import { parseJson, TooDeepError } from './json-text.js';
import { CUT_OFF, HTML, SHOWN_BYTES, type RawValue } from './raw-value.js';
import { LineSplitter, ValueSplitter, type Splitter } from './split.js';
import { unpacked, UnreadableInput } from './unpack.js';

/** One value of an input: the documents in it, or a reason why there are none. `text` is for the file of rejects. */
export interface ReadValue {
  /** From 1. */
  readonly line: number;
  /** In an array that is read item by item, from 0. */
  readonly item: number | null;
  readonly documents: readonly JsonObject[];
  readonly context: DocumentContext;
  readonly skipped: string | null;
  readonly problem: string | null;
  readonly text: string;
}

/** The longest beginning of a document that the file of rejects holds. */
const MOST_REJECTED_CHARACTERS = 1024 * 1024;

/** Reads the values of an input, some at a time. Memory is bounded by the largest document. */
export async function* readValues(
  input: Readable,
  { isCsv }: { readonly isCsv: boolean },
): AsyncGenerator<ReadValue[]> {
  let lastLine = 0;
  try {
    for await (const values of isCsv ? readCsv(unpacked(input)) : readJson(unpacked(input))) {
      lastLine = values.at(-1)?.line ?? lastLine;
      yield values;
    }
  } catch (error) {
    if (!(error instanceof UnreadableInput)) throw error;
    yield [failed({ line: lastLine + 1, item: null, text: '' }, error.message)];
  }
}

async function* readCsv(bytes: AsyncGenerator<Buffer>): AsyncGenerator<ReadValue[]> {
  for await (const rows of csvRows(bytes)) {
    yield rows.map(({ line, row, text, problem }) =>
      row === null
        ? failed({ line, item: null, text }, problem ?? 'not CSV')
        : { line, item: null, documents: [row], context: NO_CONTEXT, skipped: null, problem: null, text },
    );
  }
}

async function* readJson(bytes: AsyncGenerator<Buffer>): AsyncGenerator<ReadValue[]> {
  for await (const values of rawValues(bytes)) if (values.length > 0) yield values.map(readValue);
}

function readValue(raw: RawValue): ReadValue {
  const { line, item, text, problem } = raw;
  if (carriesCredentials(text)) return failed({ ...raw, text: '' }, CREDENTIALS);
  if (problem !== null) return failed(raw, problem);
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    return failed(raw, notJson(text, error as Error));
  }
  const unwrapped = unwrap(value);
  if ('problem' in unwrapped) return failed(raw, unwrapped.problem);
  if ('skipped' in unwrapped) {
    return { line, item, documents: [], context: NO_CONTEXT, skipped: unwrapped.skipped, problem: null, text };
  }
  return { line, item, documents: unwrapped.documents, context: unwrapped.context, skipped: null, problem: null, text };
}

function failed({ line, item, text }: Pick<RawValue, 'line' | 'item' | 'text'>, problem: string): ReadValue {
  return { line, item, documents: [], context: NO_CONTEXT, skipped: null, problem, text: shownText(text) };
}

/** A text for the file of rejects. */
export const shownText = (text: string): string => withoutSecrets(text.slice(0, MOST_REJECTED_CHARACTERS));

function notJson(text: string, error: Error): string {
  const { message } = error;
  if (error instanceof TooDeepError) return message;
  if (/^\s*</.test(text)) return HTML;
  return /Unexpected end|Unterminated string/.test(message) ? CUT_OFF : 'not JSON';
}

/** The values of a file, whichever way it lines them up; a page of HTML is one bad value. */
async function* rawValues(bytes: AsyncGenerator<Buffer>): AsyncGenerator<RawValue[]> {
  let head: Buffer = Buffer.alloc(0);
  let splitter: Splitter | null = null;
  for await (const chunk of bytes) {
    const found: RawValue[] = [];
    if (splitter === null) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const arrangement = arrangementOf(head);
      if (arrangement === 'html') {
        yield [{ line: 1, item: null, text: head.toString('utf8', 0, SHOWN_BYTES), problem: HTML }];
        return;
      }
      if (arrangement === 'unclear' && head.length < MOST_HEAD_BYTES) continue;
      splitter = arrangement === 'values' ? new ValueSplitter() : new LineSplitter();
      splitter.push(head, found);
      head = Buffer.alloc(0);
    } else splitter.push(chunk, found);
    yield found;
  }
  const found: RawValue[] = [];
  if (splitter === null) {
    const isArray = head.toString('latin1').trimStart().startsWith('[');
    splitter = isArray ? new ValueSplitter() : new LineSplitter();
    splitter.push(head, found);
  }
  splitter.end(found);
  yield found;
}

/** A first line beyond this length is not looked at as a whole. */
const MOST_HEAD_BYTES = 1024 * 1024;

/**
 * How a file lines its values up: one a line, or over several lines. A first line that is JSON by itself, or is followed by
 * the beginning of another object, stands for a value a line.
 */
function arrangementOf(head: Buffer): 'lines' | 'values' | 'html' | 'unclear' {
  const text = head.toString('latin1').trimStart();
  if (text === '') return 'unclear';
  if (text.startsWith('<')) return 'html';
  const end = text.indexOf('\n');
  if (end === -1) return text.startsWith('[') && head.length >= MOST_HEAD_BYTES ? 'values' : 'unclear';
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
