import { OperatorError } from '../operator-error.js';
import type { Rejected } from './batches.js';
import { IMPORT_KINDS, parseLine, type ImportKind } from './parse-line.js';

/** A member that only lines of a kind have: socials would fit anything else that names a creator. */
const TELLING: Partial<Record<ImportKind, string>> = { socials: '"links"' };

/** Bad lines that are tried as other kinds: some may be bad as these, too. */
const TRIED = 20;

/**
 * Tells a file of another kind from a bad file, before all of its lines are rejected one by one.
 * @param rejected the bad lines of the first batch, which has no good one
 * @throws OperatorError
 */
export function requireNoOtherKind(kind: ImportKind, rejected: readonly Rejected[]): void {
  const tried = rejected.slice(0, TRIED);
  const fitting = IMPORT_KINDS.find(
    (other) =>
      other !== kind &&
      tried.some(({ text }) => text.includes(TELLING[other] ?? '') && 'record' in parseLine(other, text)),
  );
  if (fitting === undefined) return;
  throw new OperatorError(
    'invalid_file',
    `this is a file of ${fitting}, not of ${kind}: nothing was loaded; run "creator-data import ${fitting} FILE"`,
  );
}
