import type { Database } from '../../database/database.js';

/** Limit of the length of stored documents. */
export interface DocumentLimit {
  /** Returns why a document cannot be stored; null if it can. */
  findProblem(document: string): string | null;
}

/** Reads the limit of the database. */
export async function readDocumentLimit(database: Database): Promise<DocumentLimit> {
  const { maxBytes, reason } = await database.documentLimit();
  return {
    // A UTF-16 unit takes at most three bytes, so only long documents need a byte count.
    findProblem: (document) =>
      document.length * 3 > maxBytes && Buffer.byteLength(document) > maxBytes ? `record is ${reason}` : null,
  };
}
