import { MIGRATIONS_TABLE } from '../database.js';
import { inGroups } from '../row-groups.js';
import type { Select, StreamRows } from '../statements.js';
import { bigintsAsNumbers, EmbeddedConnection, readsBigints, type EmbeddedStatement } from './embedded-connection.js';
import { inFile } from './failed-file.js';
import { documentsAsBytes, toStoreError } from './sqlite-writer.js';

/** Pages of the file that the connection keeps, in KiB: each is read once. */
const CACHE_KIB = 8000;

/**
 * Runs `work` in a read transaction on a connection of its own. Other connections write on; what they replace stays in the log
 * until the transaction ends.
 */
export async function withSnapshot<T>(path: string, work: (stream: StreamRows) => Promise<T>): Promise<T> {
  let connection: EmbeddedConnection | null = null;
  try {
    const opened = new EmbeddedConnection(path, { fileMustExist: true });
    connection = opened;
    opened.pragma('query_only = ON');
    opened.pragma(`cache_size = -${CACHE_KIB}`);
    opened.exec('BEGIN');
    // The state is that of the first read.
    opened.prepare(`SELECT 1 FROM ${MIGRATIONS_TABLE} LIMIT 1`).all();
    return await work((statement, values) => streamRows(opened, statement, values));
  } catch (error) {
    throw toStoreError(inFile(error, path));
  } finally {
    connection?.close();
  }
}

/** Statements whose rows are being read. Without a reference the garbage collector would finalize one between two rows. */
const reading = new Set<EmbeddedStatement>();

async function* streamRows<R>(
  connection: EmbeddedConnection,
  { sql }: Select<R>,
  values: readonly unknown[],
): AsyncGenerator<R[], void> {
  const statement = connection.prepare(sql);
  const hasBigints = readsBigints(statement);
  if (hasBigints) statement.setReadBigInts(true);
  reading.add(statement);
  try {
    for await (const rows of inGroups(statement.iterate(...values) as IterableIterator<R>)) {
      yield documentsAsBytes(hasBigints ? bigintsAsNumbers(rows) : rows);
    }
  } finally {
    reading.delete(statement);
  }
}
