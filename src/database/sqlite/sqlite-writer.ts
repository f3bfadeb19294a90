import type { DataSource } from 'typeorm';
import { DOCUMENT } from '../columns.js';
import { OutOfBoundsError, StoreUnavailableError, Writer } from '../database.js';
import type { RowStatement, Select, SqlValue } from '../statements.js';

/** Result codes that mean "temporarily unavailable" or "missing" rather than an invalid statement. */
const UNAVAILABLE = /^(SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|FULL|READONLY|CORRUPT|NOTADB|PROTOCOL)|THREAD_ENDED$)/;

/** Start of the message of a NULL in a column that forbids it; the result code is that of every constraint. */
const NOT_NULL = 'NOT NULL constraint failed';

/** Runs the statements of a transaction in order, and none after a failed one. */
export interface StatementQueue {
  call<T>(statement: { kind: 'select' | 'run'; sql: string; rows: readonly (readonly unknown[])[] }): Promise<T>;
}

/** Transaction whose statements are pipelined to a queue, such as the writing thread. */
export class SqliteWriter extends Writer {
  readonly dialect = 'sqlite';
  readonly #began: Promise<number>;

  constructor(
    private readonly queue: StatementQueue,
    readonly dataSource: DataSource,
  ) {
    super();
    this.#began = this.#send('run', 'BEGIN IMMEDIATE');
  }

  /** Commits. @throws the first error of the transaction, whether its statement was awaited or not */
  async commit(): Promise<void> {
    await this.#send('run', 'COMMIT');
  }

  async rollback(): Promise<void> {
    await this.#send('run', 'ROLLBACK');
  }

  async all<R>({ sql }: Select<R>, values: readonly unknown[]): Promise<R[]> {
    return documentsAsBytes(await this.#send<R[]>('select', sql, [values]));
  }

  protected select<R>({ head, row, tail }: RowStatement, rows: readonly SqlValue[][]): Promise<R[]> {
    return this.#send<R[]>('select', `${head}${row}${tail}`, rows);
  }

  /** Runs the statement once per row: the thread keeps it prepared, and SQLite has no round trips to save. */
  protected run({ head, row, tail }: RowStatement, rows: readonly SqlValue[][]): Promise<number> {
    return this.#send('run', `${head}${row}${tail}`, rows);
  }

  /** Waits for BEGIN IMMEDIATE, which excludes every other writer. */
  async lockData(): Promise<void> {
    await this.#began;
  }

  #send<T = number>(kind: 'select' | 'run', sql: string, rows: readonly (readonly unknown[])[] = [[]]): Promise<T> {
    const result = this.queue.call<T>({ kind, sql, rows }).catch((error: unknown) => {
      throw toStoreError(error);
    });
    // Prevents an unhandled rejection; the commit reports the error.
    result.catch(() => undefined);
    return result;
  }
}

/** Converts the documents of rows from text to bytes, in place. */
export function documentsAsBytes<R>(rows: R[]): R[] {
  for (const row of rows as { [DOCUMENT]?: unknown }[]) {
    const document = row[DOCUMENT];
    if (typeof document === 'string') row[DOCUMENT] = Buffer.from(document);
  }
  return rows;
}

/** Converts an error of the driver to a StoreUnavailableError or OutOfBoundsError, and returns others unchanged. */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = sqliteErrorCode(error);
  if (code === 'SQLITE_CONSTRAINT' && error.message.startsWith(NOT_NULL)) return new OutOfBoundsError(error);
  return UNAVAILABLE.test(code) ? new StoreUnavailableError(error) : error;
}

/** Result codes of the errors that the driver throws without one while it reads rows, by message. */
const CODES: Readonly<Record<string, string>> = {
  'database disk image is malformed': 'SQLITE_CORRUPT',
  'database is locked': 'SQLITE_BUSY',
  'disk I/O error': 'SQLITE_IOERR',
  'file is not a database': 'SQLITE_NOTADB',
  'unable to open database file': 'SQLITE_CANTOPEN',
};

/** Returns SQLite's result code, such as `SQLITE_BUSY`; an empty text if there is none. */
export function sqliteErrorCode(error: object): string {
  if ('sqliteCodeName' in error) return String(error.sqliteCodeName);
  if (!('code' in error)) return '';
  const hasNone = error.code === 'ERR_SQLITE_ERROR' || error.code === '';
  return (hasNone && error instanceof Error && CODES[error.message]) || String(error.code);
}
