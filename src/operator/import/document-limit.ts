import type { Database } from '../../database/database.js';

/** The longest document that the database takes. */
export interface DocumentLimit {
  /** @returns why a document cannot be stored, null if it can */
  problemOf(document: string): string | null;
}

/** Asks the database once what it takes. */
export async function documentLimitOf(database: Database): Promise<DocumentLimit> {
  const { maxBytes, reason } = await database.documentLimit();
  return {
    // A UTF-16 unit takes one to three bytes, so the length decides nearly all.
    problemOf: (document) =>
      document.length * 3 > maxBytes && Buffer.byteLength(document) > maxBytes ? `record is ${reason}` : null,
  };
}
