import type BetterSqlite3 from 'better-sqlite3';
import type { DataSource } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { Database, type Reading, type Writer } from '../database.js';
import type { Select } from '../statements.js';
import { packedSql, unpackRows } from './packed-rows.js';
import { SqliteThread, type ThreadSettings } from './sqlite-thread.js';
import { SqliteWriter, documentsAsBytes, unavailable } from './sqlite-writer.js';

/** Prepared statement cache; the service has a few dozen. */
const MAX_STATEMENTS = 500;

const THREAD = new URL('./sqlite-thread.worker.mjs', import.meta.url);

/** Large reads. */
const READER: ThreadSettings = {
  ahead: 8,
  youngMib: 3,
  busyMs: 10_000,
  retryMs: null,
  pragmas: ['query_only = ON', 'cache_size = -2000'],
};

/** Writes of imports: a thousand documents at a time. */
const DATA_WRITER: ThreadSettings = {
  ahead: 6,
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
const USAGE_WRITER: ThreadSettings = {
  ahead: 6,
  youngMib: 3,
  // Less than answers wait: they should know how it ended.
  busyMs: 1000,
  // SQLite's busy handler polls too rarely to hit the gap between another process's transactions.
  retryMs: 1,
  pragmas: [
    // FULL: commits survive power loss, as in MySQL.
    'synchronous = FULL',
    'cache_size = -2000',
  ],
};

interface Prepared {
  readonly statement: BetterSqlite3.Statement;
  /** For statements with documents: how the reading thread runs it. */
  readonly packed: { readonly sql: string; readonly others: readonly string[] } | null;
}

/**
 * SQLite. Look-ups are synchronous (microseconds). Large reads run on a thread, so that they use a second core;
 * transactions, which wait for the disk, on another.
 */
export class SqliteDatabase extends Database {
  readonly dialect = 'sqlite';
  readonly usage: Database;

  readonly #connection: BetterSqlite3.Database;
  readonly #statements = new Map<string, Prepared>();
  readonly #writer: SqliteThread;
  readonly #reader: SqliteThread;
  #lastWrite: Promise<unknown> = Promise.resolve();

  /** @param usage data source of the usage file; none: this is the usage store */
  constructor(
    readonly dataSource: DataSource,
    usage: DataSource | null,
  ) {
    super();
    this.usage = usage === null ? this : new SqliteDatabase(usage, null);
    this.#connection = (dataSource.driver as BetterSqlite3Driver).databaseConnection as BetterSqlite3.Database;
    this.#writer = new SqliteThread(THREAD, this.#connection.name, usage === null ? USAGE_WRITER : DATA_WRITER);
    this.#reader = new SqliteThread(THREAD, this.#connection.name, READER);
  }

  async all<R>({ sql }: Select<R>, values: readonly unknown[], { isLarge = false }: Reading = {}): Promise<R[]> {
    try {
      const { statement, packed } = this.#prepare(sql);
      if (packed === null || !isLarge) return documentsAsBytes(statement.all(...values) as R[]);
      return unpackRows(await this.#reader.ask({ kind: 'read', sql: packed.sql, rows: [values] }), packed.others);
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
    await this.#writer.close();
    await this.#reader.close();
    await this.dataSource.destroy();
    if (this.usage !== this) await this.usage.close();
  }

  async #transaction<T>(work: (writer: Writer) => Promise<T>): Promise<T> {
    const writer = new SqliteWriter(this.#writer, this.dataSource);
    try {
      const result = await work(writer);
      await writer.commit();
      return result;
    } catch (error) {
      await writer.rollBack();
      throw error;
    }
  }

  #prepare(sql: string): Prepared {
    let prepared = this.#statements.get(sql);
    if (prepared === undefined) {
      if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
      prepared = this.#prepareAnew(sql);
      this.#statements.set(sql, prepared);
    }
    return prepared;
  }

  #prepareAnew(sql: string): Prepared {
    const statement = this.#connection.prepare(sql);
    const columns = statement.columns().map(({ name }) => name);
    if (!columns.includes('document')) return { statement, packed: null };
    const others = columns.filter((name) => name !== 'document');
    const packed = { sql: packedSql(sql, others), others };
    return { statement, packed };
  }
}
