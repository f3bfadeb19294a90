import type { Database } from '../../database/database.js';

/**
 * Maximum length of a stored document in UTF-8 bytes, 1.5 MiB. A line of an import may be stored longer than it is, because members that it
 * leaves out become null. Reads of up to 500 documents at a time rely on it: SQLite concatenates them to at most 10^9 bytes.
 */
export const MAX_DOCUMENT_BYTES = 1_572_864;

/** Limit of the length of stored documents. */
export interface DocumentLimit {
  /** Returns why a document cannot be stored; null if it can. */
  findProblem(document: string): string | null;
}

/** Reads the limit that holds for a database: its own, if that is lower. */
export async function readDocumentLimit(database: Database): Promise<DocumentLimit> {
  const limit = await database.documentLimit();
  const { maxBytes, reason } =
    limit.maxBytes < MAX_DOCUMENT_BYTES
      ? limit
      : { maxBytes: MAX_DOCUMENT_BYTES, reason: 'longer than 1.5 MiB with the members that it leaves out' };
  return {
    // A UTF-16 unit takes at most three bytes, so only long documents need a byte count.
    findProblem: (document) =>
      document.length * 3 > maxBytes && Buffer.byteLength(document) > maxBytes ? `record is ${reason}` : null,
  };
}
