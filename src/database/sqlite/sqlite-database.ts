import type BetterSqlite3 from 'better-sqlite3';
import type { DataSource } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { Database, type Writer } from '../database.js';
import type { Select } from '../statements.js';
import { SqliteThread, type WriterSettings } from './sqlite-thread.js';
import { SqliteWriter, documentsAsBytes, unavailable } from './sqlite-writer.js';

/** Prepared statement cache; the service has a few dozen. */
const MAX_STATEMENTS = 500;

const WRITER = new URL('./sqlite-writer-thread.mjs', import.meta.url);

/** Writes of imports: a thousand documents at a time. */
const DATA_WRITER: WriterSettings = {
  youngMib: 12,
  busyMs: 30_000,
  retryMs: null,
  pragmas: [
    'synchronous = NORMAL',
    // KiB: an import batch touches tens of thousands of pages; bounds memory.
    'cache_size = -32000',
    // Rare checkpoints: an import changes the same pages often.
    'wal_autocheckpoint = 16000',
    'journal_size_limit = 67108864',
  ],
};

/** Writes of usage: answers wait for them. */
const USAGE_WRITER: WriterSettings = {
  youngMib: 3,
  busyMs: 10_000,
  // SQLite's busy handler polls too rarely to hit the gap between another process's transactions.
  retryMs: 1,
  pragmas: [
    // FULL: commits survive power loss, as in MySQL.
    'synchronous = FULL',
    'cache_size = -2000',
  ],
};

/** SQLite. Reads are synchronous (microseconds); transactions wait for the disk, so they run on a worker thread. */
export class SqliteDatabase extends Database {
  readonly dialect = 'sqlite';
  readonly usage: Database;

  readonly #connection: BetterSqlite3.Database;
  readonly #statements = new Map<string, BetterSqlite3.Statement>();
  readonly #thread: SqliteThread;
  #lastWrite: Promise<unknown> = Promise.resolve();

  /** @param usage data source of the usage file; none: this is the usage store */
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
    // One transaction a connection: overlapping ones would merge, so they queue.
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
