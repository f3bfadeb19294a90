import type { PoolConnection, ResultSetHeader } from 'mysql2';
import type { DataSource } from 'typeorm';
import { CounterEntity } from '../counter.entity.js';
import { Writer } from '../database.js';
import type { RowStatement, Select, SqlValue } from '../statements.js';
import { execute, query } from './mysql-connection.js';

/** Size of one statement, within any `max_allowed_packet`. */
const MAX_CHARACTERS = 2 * 1024 * 1024;

/** Fewer rows are sent as text, in one go whatever their number. */
const MIN_PREPARED_ROWS = 32;

/** The statements of one transaction. */
export class MysqlWriter extends Writer {
  readonly dialect = 'mysql';
  #last: Promise<unknown> = Promise.resolve();

  /** @param timeoutMs for one statement */
  constructor(
    private readonly connection: PoolConnection,
    readonly dataSource: DataSource,
    private readonly timeoutMs: number,
  ) {
    super();
  }

  /** Settles as the statements do. */
  get done(): Promise<unknown> {
    return this.#last;
  }

  all<R>({ sql }: Select<R>, values: readonly unknown[]): Promise<R[]> {
    return this.#inOrder(() => query<R[]>(this.connection, sql, values, this.timeoutMs));
  }

  protected run({ head, row, separator, tail, most }: RowStatement, rows: readonly SqlValue[][]): Promise<number> {
    return this.#inOrder(async () => {
      let changed = 0;
      for (const chunk of chunks(rows, most)) {
        const sql = `${head}${Array(chunk.length).fill(row).join(separator)}${tail}`;
        // Prepared: the server spares itself the parsing of megabytes of literals, which is a third of an insert.
        const send = chunk.length < MIN_PREPARED_ROWS ? query : execute;
        changed += (await send<ResultSetHeader>(this.connection, sql, chunk.flat(), this.timeoutMs)).affectedRows;
      }
      return changed;
    });
  }

  lockData(): Promise<void> {
    const { tableName } = this.dataSource.getMetadata(CounterEntity);
    return this.#inOrder(async () => {
      // As patient as a batch may take: it waits for the one of another command.
      const sql = `SELECT value FROM ${tableName} WHERE name = ? FOR UPDATE`;
      await query(this.connection, sql, ['data_lock'], this.timeoutMs);
    });
  }

  /** After those before it, and not at all after one that failed. */
  #inOrder<T>(statement: () => Promise<T>): Promise<T> {
    const result = this.#last.then(statement);
    this.#last = result;
    // `done` tells, should nobody else wait for it.
    result.catch(() => undefined);
    return result;
  }
}

/**
 * Cuts rows into chunks of at most 1024, 512, ... 32, and what is left: every length would be a prepared statement of its own,
 * kept by the connection on both sides, and imports come in every length.
 */
function* chunks(rows: readonly SqlValue[][], most: number): Generator<readonly SqlValue[][]> {
  let start = 0;
  while (start < rows.length) {
    const left = rows.length - start;
    let size = left < MIN_PREPARED_ROWS ? left : Math.min(most, 2 ** Math.floor(Math.log2(left)));
    while (size > 1 && charactersOf(rows, start, start + size) > MAX_CHARACTERS) size = Math.ceil(size / 2);
    yield rows.slice(start, start + size);
    start += size;
  }
}

function charactersOf(rows: readonly SqlValue[][], start: number, end: number): number {
  let characters = 0;
  for (let index = start; index < end; index += 1) {
    for (const value of rows[index] ?? []) characters += typeof value === 'string' ? value.length : 8;
  }
  return characters;
}
