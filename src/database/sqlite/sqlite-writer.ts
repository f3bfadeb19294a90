import type { DataSource } from 'typeorm';
import { StoreUnavailableError, Writer } from '../database.js';
import type { RowStatement, Select, SqlValue } from '../statements.js';
import type { SqliteThread } from './sqlite-thread.js';

/** Results that mean "not now" or "not there", as opposed to a wrong statement. */
const UNAVAILABLE = /^(SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|FULL|READONLY|CORRUPT|NOTADB|PROTOCOL)|THREAD_ENDED$)/;

/** The statements of one transaction, sent to the thread as they come: it answers in order, and none after one that failed. */
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

  /** @throws what went wrong first, whether somebody waited for it or not */
  async commit(): Promise<void> {
    await this.#ask('run', 'COMMIT');
  }

  async rollBack(): Promise<void> {
    await this.#ask('run', 'ROLLBACK');
  }

  async all<R>({ sql }: Select<R>, values: readonly unknown[]): Promise<R[]> {
    return documentsAsBytes(await this.#ask<R[]>('select', sql, [values]));
  }

  /** Once for each row: the thread keeps statements prepared, and a statement costs it no round trip. */
  protected run({ head, row, tail }: RowStatement, rows: readonly SqlValue[][]): Promise<number> {
    return this.#ask('run', `${head}${row}${tail}`, rows);
  }

  /** BEGIN IMMEDIATE keeps every other writer out. */
  async lockData(): Promise<void> {
    await this.#begun;
  }

  /** Has the thread run a statement once for each row of values. */
  #ask<T = number>(kind: 'select' | 'run', sql: string, rows: readonly (readonly unknown[])[] = [[]]): Promise<T> {
    const answer = this.thread.ask<T>({ kind, sql, rows }).catch((error: unknown) => {
      throw unavailable(error);
    });
    // The commit tells, should nobody else wait for it.
    answer.catch(() => undefined);
    return answer;
  }
}

/** Documents come as text, and are read as bytes on every database. */
export function documentsAsBytes<R>(rows: R[]): R[] {
  for (const row of rows as { document?: unknown }[]) {
    if (typeof row.document === 'string') row.document = Buffer.from(row.document);
  }
  return rows;
}

/** The error as callers know it: one of the store's condition, or of the statement. */
export function unavailable(error: unknown): unknown {
  return error instanceof Error && 'code' in error && UNAVAILABLE.test(String(error.code))
    ? new StoreUnavailableError(error)
    : error;
}
