import { detachMemory } from '../../model/detach-memory.js';
import { DOCUMENT } from '../columns.js';

/** Only row of a packed statement: all documents concatenated, their sizes as a JSON array, and a JSON array per other column. */
export type PackedRows = readonly [documents: Uint8Array | null, sizes: string, ...columns: string[]];

/** Packs the rows of a SELECT with documents into one row, so that the driver creates one value per column instead of one per
 * row. The order is kept: SQLite does not flatten a subquery with a LIMIT, and the order of others does not matter.
 * @param others the columns beside the document */
export function packedSql(sql: string, others: readonly string[]): string {
  const arrays = others.map((column) => `, json_group_array(${column})`).join('');
  return (
    `WITH found AS (${sql}) SELECT CAST(group_concat(${DOCUMENT}, '') AS BLOB), ` +
    `json_group_array(octet_length(${DOCUMENT}))${arrays} FROM found`
  );
}

/** Memory of unpacked rows: one piece for all documents of a read. */
const memoryOfRows = new WeakSet<ArrayBufferLike>();

/** Frees the memory of the rows of one read, whose documents must not be used afterwards. Does nothing for rows that were
 * not packed. */
export function freeUnpackedRows(rows: readonly object[]): void {
  const documents = rows.map((row) => (row as Readonly<Record<string, unknown>>)[DOCUMENT]);
  const first = documents.find((document) => Buffer.isBuffer(document));
  if (first !== undefined && memoryOfRows.delete(first.buffer)) detachMemory(first.buffer);
}

/** Restores the rows of the original SELECT, with documents as bytes. */
export function unpackRows<R>([documents, sizes, ...columns]: PackedRows, others: readonly string[]): R[] {
  const values = columns.map((column) => JSON.parse(column) as unknown[]);
  let start = documents?.byteOffset ?? 0;
  if (documents !== null) memoryOfRows.add(documents.buffer);
  return (JSON.parse(sizes) as (number | null)[]).map((size, index) => {
    const row: Record<string, unknown> = { [DOCUMENT]: null };
    if (documents !== null && size !== null) {
      row[DOCUMENT] = Buffer.from(documents.buffer, start, size);
      start += size;
    }
    for (const [column, name] of others.entries()) row[name] = values[column]?.[index];
    return row as R;
  });
}
