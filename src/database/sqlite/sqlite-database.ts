import type BetterSqlite3 from 'better-sqlite3';
import type { DataSource } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { Database, type Writer } from '../database.js';
import type { Select } from '../statements.js';
import { SqliteThread, type WriterSettings } from './sqlite-thread.js';
import { SqliteWriter, documentsAsBytes, unavailable } from './sqlite-writer.js';

/** Prepared statements kept; the service has a few dozen. */
const MAX_STATEMENTS = 500;

const WRITER = new URL('./sqlite-writer-thread.mjs', import.meta.url);

/** How the data is written: by imports, which hand over a thousand documents at a time. */
const DATA_WRITER: WriterSettings = {
  youngMib: 12,
  busyMs: 30_000,
  retryMs: null,
  pragmas: [
    'synchronous = NORMAL',
    // In KiB: a batch of an import touches tens of thousands of pages, and memory is bounded.
    'cache_size = -32000',
    // Pages are copied from the log into the database in large strides: an import changes the same ones often.
    'wal_autocheckpoint = 16000',
    'journal_size_limit = 67108864',
  ],
};

/** How usage is written: answers wait for it. */
const USAGE_WRITER: WriterSettings = {
  youngMib: 3,
  busyMs: 10_000,
  // SQLite's own waiting looks too rarely to meet the moment between two transactions of another process.
  retryMs: 1,
  pragmas: [
    // FULL: a commit survives the loss of power, as it does in MySQL.
    'synchronous = FULL',
    // Records are appended: they touch few pages.
    'cache_size = -2000',
  ],
};

/**
 * The embedded database. Reads are synchronous inside the process: they take microseconds. Transactions run on a thread
 * beside: they wait for the disk and for each other, and an import reads lines while it writes.
 */
export class SqliteDatabase extends Database {
  readonly dialect = 'sqlite';
  readonly usage: Database;

  readonly #connection: BetterSqlite3.Database;
  readonly #statements = new Map<string, BetterSqlite3.Statement>();
  readonly #thread: SqliteThread;
  #lastWrite: Promise<unknown> = Promise.resolve();

  /** @param usage the data source of the usage file; none: this is the database of usage */
  constructor(
    readonly dataSource: DataSource,
    usage: DataSource | null,
  ) {
    super();
    this.usage = usage === null ? this : new SqliteDatabase(usage, null);
    this.#connection = (dataSource.driver as BetterSqlite3Driver).databaseConnection as BetterSqlite3.Database;
    this.#thread = new SqliteThread(WRITER, this.#connection.name, usage === null ? USAGE_WRITER : DATA_WRITER);
  }

  async all<R>({ sql }: Select<R>, values: readonly unknown[]): Promise<R[]> {
    try {
      return documentsAsBytes(this.#prepare(sql).all(...values) as R[]);
    } catch (error) {
      throw unavailable(error);
    }
  }

  async ping(): Promise<void> {
    await this.all({ sql: 'SELECT 1 FROM schema_migrations LIMIT 1' }, []);
  }

  write<T>(work: (writer: Writer) => Promise<T>): Promise<T> {
    // One connection has one transaction: overlapping ones would merge, so each waits for the one before.
    const result = this.#lastWrite.then(() => this.#transaction(work));
    this.#lastWrite = result.catch(() => undefined);
    return result;
  }

  async close(): Promise<void> {
    await this.#lastWrite;
    await this.#thread.close();
    await this.dataSource.destroy();
    if (this.usage !== this) await this.usage.close();
  }

  async #transaction<T>(work: (writer: Writer) => Promise<T>): Promise<T> {
    const writer = new SqliteWriter(this.#thread, this.dataSource);
    try {
      const result = await work(writer);
      await writer.commit();
      return result;
    } catch (error) {
      await writer.rollBack();
      throw error;
    }
  }

  #prepare(sql: string): BetterSqlite3.Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
      statement = this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
