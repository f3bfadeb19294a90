import { OperatorError } from '../operator-error.js';

/** An array whose first element is an object, or follows on the next line. */
const ARRAY = /^\s*\[\s*(?:\{|[\r\n])/;

/** Two lines without JSON, the first of them names between separators. */
const TABLE = /^"?\w[\w .-]*"?(?:[,;\t]"?\w[\w .-]*"?)+\r?\n(?!\s*\{)/;

/**
 * Recognises a file of another format, before its lines are rejected one by one.
 * @param start first bytes of the file
 * @throws OperatorError
 */
export function requireNdjson(name: string, start: Buffer): void {
  const problem = findProblem(start);
  if (problem !== null) throw new OperatorError('invalid_file', `${name} ${problem}; nothing was loaded`);
}

function findProblem(start: Buffer): string | null {
  const [first, second] = start;
  const isUtf16 =
    (first === 0xff && second === 0xfe) ||
    (first === 0xfe && second === 0xff) ||
    (first === 0x7b && second === 0) ||
    (first === 0 && second === 0x7b);
  if (isUtf16) return 'is UTF-16: convert it to UTF-8';
  const text = start.toString('utf8').replace(/^\uFEFF/, '');
  if (ARRAY.test(text)) return `is a JSON array: write one object a line (jq -c '.[]')`;
  return TABLE.test(text) ? 'looks like a table: see "creator-data ingest csv --mapping" in docs/sources.md' : null;
}
