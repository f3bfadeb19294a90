import { OperatorError } from '../operator-error.js';
import type { RejectedLine } from './batches.js';
import { IMPORT_KINDS, parseLine, type ImportKind } from './parse-line.js';

/** Text that only lines of a kind contain. Without it, every line that names a creator would be valid as socials. */
const MARKERS: Partial<Record<ImportKind, string>> = { socials: '"links"' };

/** Number of bad lines that are tried as other kinds. Some may be invalid as those too. */
const MAX_TRIED = 20;

/**
 * Detects a file of another kind, before its lines are rejected one by one.
 * @param rejected the lines of the first batch, all of which are bad
 * @throws OperatorError
 */
export function rejectOtherKind(kind: ImportKind, rejected: readonly RejectedLine[]): void {
  const tried = rejected.slice(0, MAX_TRIED);
  const fitting = IMPORT_KINDS.find(
    (other) =>
      other !== kind &&
      tried.some(({ text }) => text.includes(MARKERS[other] ?? '') && 'record' in parseLine(other, text)),
  );
  if (fitting === undefined) return;
  throw new OperatorError(
    'invalid_file',
    `this is a file of ${fitting}, not of ${kind}: nothing was loaded; run "creator-data import ${fitting} FILE"`,
  );
}
