import type { PoolConnection } from 'mysql2';
import type { DataSource } from 'typeorm';
import { CounterEntity } from '../counter.entity.js';
import { Writer } from '../database.js';
import {
  columnsOf,
  compileInsert,
  placeholders,
  valuesOf,
  type ColumnOf,
  type Conflict,
  type EntityClass,
  type Select,
  type SqlValue,
  type Written,
} from '../statements.js';
import { execute, query } from './mysql-connection.js';

/** Size of one insert: few enough for any `max_allowed_packet`, many enough for the round trip not to matter. */
const MAX_INSERT_CHARACTERS = 2 * 1024 * 1024;
const MAX_INSERT_ROWS = 1024;

/** Fewer rows are sent as text, in one go whatever their number. */
const MIN_PREPARED_ROWS = 32;

/** Rows of one delete. */
const MAX_REMOVED_AT_ONCE = 200;

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
    return this.#inOrder(() => this.#query<R[]>(sql, values));
  }

  protected put<E>(entity: EntityClass<E>, rows: readonly Written<E>[], conflict: Conflict<E> | null): Promise<void> {
    return this.#inOrder(async () => {
      const [example] = rows;
      if (example === undefined) return;
      const metadata = this.dataSource.getMetadata(entity);
      const columns = columnsOf(metadata, example);
      const { head, tail } = compileInsert(metadata, this.dialect, columns, conflict);
      const row = placeholders(columns);
      for (const chunk of chunks(valuesOf(rows, columns))) {
        const sql = `${head}${Array(chunk.length).fill(row).join(', ')}${tail}`;
        // Prepared: the server spares itself the parsing of megabytes of literals, which is a third of an insert.
        if (chunk.length >= MIN_PREPARED_ROWS) await execute(this.connection, sql, chunk.flat(), this.timeoutMs);
        else await this.#query(sql, chunk.flat());
      }
    });
  }

  remove<E, C extends ColumnOf<E>>(
    entity: EntityClass<E>,
    columns: readonly C[],
    keys: readonly Readonly<Pick<E, C>>[],
  ): Promise<number> {
    const { tableName } = this.dataSource.getMetadata(entity);
    const condition = `(${columns.map((column) => `${column} = ?`).join(' AND ')})`;
    return this.#inOrder(async () => {
      let removed = 0;
      for (let start = 0; start < keys.length; start += MAX_REMOVED_AT_ONCE) {
        const chunk = valuesOf(keys.slice(start, start + MAX_REMOVED_AT_ONCE), columns);
        // Not (a, b) IN ((…)): MariaDB would read the whole table for it.
        const where = chunk.map(() => condition).join(' OR ');
        const sql = `DELETE FROM ${tableName} WHERE ${where}`;
        removed += (await this.#query<{ affectedRows: number }>(sql, chunk.flat())).affectedRows;
      }
      return removed;
    });
  }

  lockData(): Promise<void> {
    const { tableName } = this.dataSource.getMetadata(CounterEntity);
    return this.#inOrder(async () => {
      // As patient as a batch may take: it waits for the one of another command.
      await this.#query(`SELECT value FROM ${tableName} WHERE name = ? FOR UPDATE`, ['data_lock']);
    });
  }

  #query<T>(sql: string, values: readonly unknown[]): Promise<T> {
    return query<T>(this.connection, sql, values, this.timeoutMs);
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
 * Cuts rows into chunks of 1024, 512, ... 32, and what is left: every length would be a prepared statement of its own,
 * kept by the connection on both sides, and imports come in every length.
 */
function* chunks(rows: readonly SqlValue[][]): Generator<readonly SqlValue[][]> {
  let start = 0;
  while (start < rows.length) {
    const left = rows.length - start;
    let size = left < MIN_PREPARED_ROWS ? left : Math.min(MAX_INSERT_ROWS, 2 ** Math.floor(Math.log2(left)));
    while (size > 1 && charactersOf(rows, start, start + size) > MAX_INSERT_CHARACTERS) size = Math.ceil(size / 2);
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
