import type { DocumentPage, FoundDocuments, SqlValue } from '../database.js';
import { JoinedDocuments } from '../document-list.js';

/** Rows column by column: all documents in one piece, and each other column as an array in JSON. */
export type PackedRows = readonly [documents: Buffer | null, ...columns: string[]];

/** The length of a row's document, among the columns beside it. */
export const LENGTH = 'octet_length(document)';

/**
 * Documents cross from SQLite in one piece with the rest beside it: fifty values of their own cost three times as much.
 * Commas lie between them, so that the piece is a list as answers have it.
 * @param table a common table expression
 * @param others the columns to read beside `document`
 */
export function packedSelect(table: string, from: string, others: readonly string[]): string {
  const arrays = others.map((column) => `json_group_array(${column})`);
  return `WITH ${table} SELECT CAST(group_concat(document, ',') AS BLOB), ${arrays.join(', ')} FROM ${from}`;
}

/**
 * The rows as they would have come one by one, with the document in its place among the columns.
 * @param packed the columns beside the document start with `LENGTH`
 */
export function unpackedRows([documents, ...columns]: PackedRows, documentAt: number): SqlValue[][] {
  const [lengths = [], ...others] = columns.map(values);
  const found = cut(documents, lengths);
  const inOrder = [...others.slice(0, documentAt), found, ...others.slice(documentAt)];
  return found.map((_document, index) => inOrder.map((column) => column[index] ?? null));
}

/**
 * The first `limit` documents in one piece, unless one of them is null.
 * @param packed the columns beside the document are `LENGTH`, sort value and ID
 */
export function unpackedPage([documents, ...columns]: PackedRows, limit: number): DocumentPage {
  const [lengths = [], sortValues = [], ids = []] = columns.map(values);
  if (documents === null || lengths.includes(null)) {
    return { documents: cut(documents, lengths).slice(0, limit), sortValues, ids };
  }
  const beyond = (lengths.slice(limit) as number[]).reduce((sum, length) => sum + 1 + length, 0);
  const bytes = documents.subarray(0, documents.length - beyond);
  return { documents: new JoinedDocuments(bytes, Math.min(lengths.length, limit)), sortValues, ids };
}

/** @param packed the column beside the document is the position of its ID among `ids` */
export function unpackedBatch([documents, column = '[]']: PackedRows, ids: readonly string[]): FoundDocuments {
  if (documents === null) return { documents: [], missing: ids };
  const positions = values(column) as number[];
  const found = new JoinedDocuments(documents, positions.length);
  if (positions.length === ids.length) return { documents: found, missing: [] };
  const present = new Set(positions);
  return { documents: found, missing: ids.filter((_id, position) => !present.has(position)) };
}

const values = (column: string) => JSON.parse(column) as SqlValue[];

function cut(documents: Buffer | null, lengths: readonly SqlValue[]): (Buffer | null)[] {
  let start = 0;
  return (lengths as (number | null)[]).map((length) =>
    documents === null || length === null ? null : documents.subarray(start, (start += length + 1) - 1),
  );
}
