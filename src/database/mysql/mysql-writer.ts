import type { ResultSetHeader } from 'mysql2';
import type { RowStatement, Select, SqlValue } from '../statements.js';
import { ConflictError, execute, query } from './mysql-connection.js';
import { packetLimitReason, maxValueBytes, readMaxPacket } from './mysql-packet.js';
import { MysqlTransaction, reportedByCommit } from './mysql-transaction.js';

/** Maximum bytes of values per statement, if the server's packet allows as many. */
const MAX_STATEMENT_BYTES = 2 * 1024 * 1024;

/** Bytes of overhead per value, in either protocol. */
const VALUE_OVERHEAD_BYTES = 16;

/** Minimum rows for a prepared statement; fewer are sent as text. */
const MIN_PREPARED_ROWS = 32;

/** Transaction of many rows that sends one statement at a time. */
export class MysqlWriter extends MysqlTransaction {
  #lastStatement: Promise<unknown> = reportedByCommit(query(this.connection, 'START TRANSACTION', [], this.timeoutMs));

  async commit(): Promise<void> {
    await this.#lastStatement;
    this.isInDoubt = true;
    try {
      await query(this.connection, 'COMMIT', [], this.timeoutMs);
    } catch (error) {
      // A server reports a conflict before it stores anything. After any other error the outcome is unknown.
      if (error instanceof ConflictError) this.isInDoubt = false;
      throw error;
    }
  }

  all<R>({ sql }: Select<R>, values: readonly unknown[]): Promise<R[]> {
    return this.#inOrder(() => query<R[]>(this.connection, sql, values, this.timeoutMs));
  }

  protected run({ head, row, separator, tail, maxRows }: RowStatement, rows: readonly SqlValue[][]): Promise<number> {
    return this.#inOrder(async () => {
      const packet = await readMaxPacket(this.connection, this.timeoutMs);
      const maxBytes = maxValueBytes(packet);
      let changed = 0;
      for (const { chunk, bytes } of chunks(rows, maxRows, Math.min(MAX_STATEMENT_BYTES, maxBytes))) {
        if (bytes > maxBytes) throw new Error(`a record is ${packetLimitReason(packet)}; raise max_allowed_packet`);
        const sql = `${head}${Array(chunk.length).fill(row).join(separator)}${tail}`;
        // A prepared statement spares the server parsing megabytes of literals. Escaping at most doubles a text.
        const send = chunk.length < MIN_PREPARED_ROWS && 2 * bytes <= maxBytes ? query : execute;
        changed += (await send<ResultSetHeader>(this.connection, sql, chunk.flat(), this.timeoutMs)).affectedRows;
      }
      return changed;
    });
  }

  /** Runs a statement after all earlier ones, unless one of them failed. */
  #inOrder<T>(statement: () => Promise<T>): Promise<T> {
    const result = reportedByCommit(this.#lastStatement.then(statement));
    this.#lastStatement = result;
    return result;
  }
}

interface RowChunk {
  readonly chunk: readonly SqlValue[][];
  readonly bytes: number;
}

/** Splits rows into chunks of 1024, 512, … 32, then the rest. Few lengths, so that both sides cache the prepared statements. */
function* chunks(rows: readonly SqlValue[][], maxRows: number, maxBytes: number): Generator<RowChunk> {
  const sizes = rows.map(rowBytes);
  const rangeBytes = (start: number, end: number) => {
    let bytes = 0;
    for (let index = start; index < end; index += 1) bytes += sizes[index] ?? 0;
    return bytes;
  };
  let start = 0;
  while (start < rows.length) {
    const remaining = rows.length - start;
    let size = remaining < MIN_PREPARED_ROWS ? remaining : Math.min(maxRows, 2 ** Math.floor(Math.log2(remaining)));
    while (size > 1 && rangeBytes(start, start + size) > maxBytes) size = Math.ceil(size / 2);
    yield { chunk: rows.slice(start, start + size), bytes: rangeBytes(start, start + size) };
    start += size;
  }
}

function rowBytes(row: readonly SqlValue[]): number {
  let bytes = 0;
  for (const value of row) bytes += VALUE_OVERHEAD_BYTES + (typeof value === 'string' ? Buffer.byteLength(value) : 0);
  return bytes;
}
