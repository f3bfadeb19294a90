import type { DataSource } from 'typeorm';
import { DOCUMENT } from '../columns.js';
import { StoreUnavailableError, Writer } from '../database.js';
import type { RowStatement, Select, SqlValue } from '../statements.js';
import type { SqliteThread } from './sqlite-thread.js';

/** Result codes that mean "not now" or "not there", not a wrong statement. */
const UNAVAILABLE = /^(SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|FULL|READONLY|CORRUPT|NOTADB|PROTOCOL)|THREAD_ENDED$)/;

/** One transaction, pipelined to the thread: it answers in order, and none after a failure. */
export class SqliteWriter extends Writer {
  readonly dialect = 'sqlite';
  readonly #begun: Promise<number>;

  constructor(
    private readonly thread: SqliteThread,
    readonly dataSource: DataSource,
  ) {
    super();
    this.#begun = this.#ask('run', 'BEGIN IMMEDIATE');
  }

  /** @throws the first error, awaited by somebody or not */
  async commit(): Promise<void> {
    await this.#ask('run', 'COMMIT');
  }

  async rollBack(): Promise<void> {
    await this.#ask('run', 'ROLLBACK');
  }

  async all<R>({ sql }: Select<R>, values: readonly unknown[]): Promise<R[]> {
    return documentsAsBytes(await this.#ask<R[]>('select', sql, [values]));
  }

  /** Once per row: the thread has it prepared, and there is no round trip. */
  protected run({ head, row, tail }: RowStatement, rows: readonly SqlValue[][]): Promise<number> {
    return this.#ask('run', `${head}${row}${tail}`, rows);
  }

  /** BEGIN IMMEDIATE keeps every other writer out. */
  async lockData(): Promise<void> {
    await this.#begun;
  }

  #ask<T = number>(kind: 'select' | 'run', sql: string, rows: readonly (readonly unknown[])[] = [[]]): Promise<T> {
    const answer = this.thread.ask<T>({ kind, sql, rows }).catch((error: unknown) => {
      throw unavailable(error);
    });
    // Not an unhandled rejection: the commit reports it.
    answer.catch(() => undefined);
    return answer;
  }
}

/** SQLite returns documents as text; callers get bytes on every database. */
export function documentsAsBytes<R>(rows: R[]): R[] {
  for (const row of rows as { [DOCUMENT]?: unknown }[]) {
    const document = row[DOCUMENT];
    if (typeof document === 'string') row[DOCUMENT] = Buffer.from(document);
  }
  return rows;
}

/** Maps store conditions to StoreUnavailableError, leaves others. */
export function unavailable(error: unknown): unknown {
  return error instanceof Error && UNAVAILABLE.test(sqliteCodeOf(error)) ? new StoreUnavailableError(error) : error;
}

/** SQLite's result code, such as `SQLITE_BUSY`; empty if there is none. */
export function sqliteCodeOf(error: object): string {
  if ('sqliteCodeName' in error) return String(error.sqliteCodeName);
  return 'code' in error ? String(error.code) : '';
}
