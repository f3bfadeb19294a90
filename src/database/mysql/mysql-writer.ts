import type { ResultSetHeader } from 'mysql2';
import type { RowStatement, Select, SqlValue } from '../statements.js';
import { ConflictError, execute, query } from './mysql-connection.js';
import { largerThanPacket, maxValueBytes, packetOf } from './mysql-packet.js';
import { MysqlTransaction, reportedByCommit } from './mysql-transaction.js';

/** Values of a statement, where the server takes as many: larger statements gain nothing. */
const MAX_BYTES = 2 * 1024 * 1024;

/** Of each value beside its text, in either protocol. */
const VALUE_BYTES = 16;

/** Fewer rows go as text, in one statement. */
const MIN_PREPARED_ROWS = 32;

/** A transaction of many rows, a statement after the other. */
export class MysqlWriter extends MysqlTransaction {
  #last: Promise<unknown> = reportedByCommit(query(this.connection, 'START TRANSACTION', [], this.timeoutMs));

  async commit(): Promise<void> {
    await this.#last;
    this.isInDoubt = true;
    try {
      await query(this.connection, 'COMMIT', [], this.timeoutMs);
    } catch (error) {
      // A conflict is found before anything is stored; of another error at the commit nobody knows.
      if (error instanceof ConflictError) this.isInDoubt = false;
      throw error;
    }
  }

  all<R>({ sql }: Select<R>, values: readonly unknown[]): Promise<R[]> {
    return this.#inOrder(() => query<R[]>(this.connection, sql, values, this.timeoutMs));
  }

  protected run({ head, row, separator, tail, most }: RowStatement, rows: readonly SqlValue[][]): Promise<number> {
    return this.#inOrder(async () => {
      const packet = await packetOf(this.connection, this.timeoutMs);
      const takes = maxValueBytes(packet);
      let changed = 0;
      for (const { chunk, bytes } of chunks(rows, most, Math.min(MAX_BYTES, takes))) {
        if (bytes > takes) throw new Error(`a record is ${largerThanPacket(packet)}: raise it`);
        const sql = `${head}${Array(chunk.length).fill(row).join(separator)}${tail}`;
        // Prepared: spares the server parsing megabytes of literals, a third of an insert. Escaping doubles a text at most.
        const send = chunk.length < MIN_PREPARED_ROWS && 2 * bytes <= takes ? query : execute;
        changed += (await send<ResultSetHeader>(this.connection, sql, chunk.flat(), this.timeoutMs)).affectedRows;
      }
      return changed;
    });
  }

  /** Queues behind earlier statements; not run after a failed one. */
  #inOrder<T>(statement: () => Promise<T>): Promise<T> {
    const result = reportedByCommit(this.#last.then(statement));
    this.#last = result;
    return result;
  }
}

interface Chunk {
  readonly chunk: readonly SqlValue[][];
  readonly bytes: number;
}

/** Chunks of 1024, 512, … 32 rows, then the rest: each length is a prepared statement cached on both sides. */
function* chunks(rows: readonly SqlValue[][], most: number, maxBytes: number): Generator<Chunk> {
  const sizes = rows.map(bytesOf);
  const bytesOfRows = (start: number, end: number) => {
    let bytes = 0;
    for (let index = start; index < end; index += 1) bytes += sizes[index] ?? 0;
    return bytes;
  };
  let start = 0;
  while (start < rows.length) {
    const left = rows.length - start;
    let size = left < MIN_PREPARED_ROWS ? left : Math.min(most, 2 ** Math.floor(Math.log2(left)));
    while (size > 1 && bytesOfRows(start, start + size) > maxBytes) size = Math.ceil(size / 2);
    yield { chunk: rows.slice(start, start + size), bytes: bytesOfRows(start, start + size) };
    start += size;
  }
}

function bytesOf(row: readonly SqlValue[]): number {
  let bytes = 0;
  for (const value of row) bytes += VALUE_BYTES + (typeof value === 'string' ? Buffer.byteLength(value) : 0);
  return bytes;
}
