import { DOCUMENT } from '../columns.js';

/** The one row of a packed statement: all documents in one piece, their sizes and each other column as a JSON array. */
export type PackedRows = readonly [documents: Uint8Array | null, sizes: string, ...columns: string[]];

/** Packs a SELECT with documents: fifty values of their own cost the driver twice as much as one piece. The order is
 * that of the SELECT: SQLite does not flatten one with a limit, and where there is none, order does not matter.
 * @param others its columns beside the document */
export function packedSql(sql: string, others: readonly string[]): string {
  const arrays = others.map((column) => `, json_group_array(${column})`).join('');
  return (
    `WITH found AS (${sql}) SELECT CAST(group_concat(${DOCUMENT}, '') AS BLOB), ` +
    `json_group_array(octet_length(${DOCUMENT}))${arrays} FROM found`
  );
}

/** @returns the rows as the plain statement has them, documents as bytes */
export function unpackRows<R>([documents, sizes, ...columns]: PackedRows, others: readonly string[]): R[] {
  const values = columns.map((column) => JSON.parse(column) as unknown[]);
  let start = documents?.byteOffset ?? 0;
  return (JSON.parse(sizes) as (number | null)[]).map((size, index) => {
    const row: Record<string, unknown> = { [DOCUMENT]: null };
    if (documents !== null && size !== null) {
      row[DOCUMENT] = Buffer.from(documents.buffer, start, size);
      start += size;
    }
    for (const [at, name] of others.entries()) row[name] = values[at]?.[index];
    return row as R;
  });
}
