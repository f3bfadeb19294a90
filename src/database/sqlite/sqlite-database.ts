import type { DataSource } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { DOCUMENT } from '../columns.js';
import { Database, MIGRATIONS_TABLE, StoreUnavailableError, type Reading, type Writer } from '../database.js';
import type { Select } from '../statements.js';
import {
  bigintsAsNumbers,
  readsBigints,
  type EmbeddedConnection,
  type EmbeddedStatement,
} from './embedded-connection.js';
import { OpenedFile } from './opened-file.js';
import { packedSql, unpackRows } from './packed-rows.js';
import { SqliteThread, type ThreadSettings } from './sqlite-thread.js';
import { SqliteWriter, documentsAsBytes, sqliteCodeOf, unavailable } from './sqlite-writer.js';

/** Prepared statement cache; the service has a few dozen. */
const MAX_STATEMENTS = 500;

const THREAD = new URL('./sqlite-thread.worker.mjs', import.meta.url);

const READER: ThreadSettings = {
  // One message wakes the thread for all of them: with 8, a list takes an eighth more CPU time.
  ahead: 24,
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
    // Each batch is moved into the file at once: a log that is full of a batch that failed then needs no room to be emptied.
    'wal_autocheckpoint = 1',
    'journal_size_limit = 33554432',
    // What is deleted or replaced is overwritten: who was forgotten is in no byte of the file.
    'secure_delete = ON',
  ],
};

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

/** For how long reads trust that the file is there; transactions do not. */
const FILE_CHECK_MS = 1000;

const NO_ROOM = /^SQLITE_(FULL|IOERR)/;

interface Prepared {
  readonly statement: EmbeddedStatement;
  readonly hasBigints: boolean;
  /** For statements with documents: how the reading thread runs it. */
  readonly packed: { readonly sql: string; readonly others: readonly string[] } | null;
}

/** SQLite. Look-ups are synchronous (microseconds). Large reads run on a thread, so that they use a second core;
 * transactions, which wait for the disk, on another. */
export class SqliteDatabase extends Database {
  readonly dialect = 'sqlite';
  readonly usage: Database;

  readonly #connection: EmbeddedConnection;
  readonly #file: OpenedFile;
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
    this.#connection = (dataSource.driver as BetterSqlite3Driver).databaseConnection as EmbeddedConnection;
    this.#file = new OpenedFile(this.#connection.name);
    this.#writer = new SqliteThread(THREAD, this.#connection.name, usage === null ? USAGE_WRITER : DATA_WRITER);
    this.#reader = new SqliteThread(THREAD, this.#connection.name, READER);
  }

  async all<R>({ sql }: Select<R>, values: readonly unknown[], { isLarge = false }: Reading = {}): Promise<R[]> {
    const startedAt = performance.now();
    try {
      this.#file.requireThere(FILE_CHECK_MS);
      const { statement, hasBigints, packed } = this.#prepare(sql);
      if (packed === null || !isLarge) {
        const rows = documentsAsBytes(statement.all(...values) as R[]);
        return hasBigints ? bigintsAsNumbers(rows) : rows;
      }
      return unpackRows(await this.#reader.ask({ kind: 'read', sql: packed.sql, rows: [values] }), packed.others);
    } catch (error) {
      throw unavailable(error);
    } finally {
      this.reads.observe(performance.now() - startedAt);
    }
  }

  async ping(): Promise<void> {
    this.#file.requireThere();
    await this.all({ sql: `SELECT 1 FROM ${MIGRATIONS_TABLE} LIMIT 1` }, []);
    if (this.usage !== this) await this.usage.ping();
  }

  write<T>(work: (writer: Writer) => Promise<T>): Promise<T> {
    // One transaction a connection: overlapping ones would merge, so they queue.
    return this.#inTurn(() => this.#transaction(work));
  }

  override eraseDeleted(): Promise<void> {
    return this.#inTurn(() => this.#emptyLog());
  }

  async close(): Promise<void> {
    await this.#lastWrite;
    await this.#writer.close();
    await this.#reader.close();
    await this.dataSource.destroy();
    if (this.usage !== this) await this.usage.close();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#lastWrite.then(work);
    this.#lastWrite = result.catch(() => undefined);
    return result;
  }

  async #transaction<T>(work: (writer: Writer) => Promise<T>): Promise<T> {
    this.#file.requireThere();
    const writer = new SqliteWriter(this.#writer, this.dataSource);
    try {
      const result = await work(writer);
      if (this.usage !== this) await this.#requireRoom(writer);
      await writer.commit();
      return result;
    } catch (error) {
      await writer.rollBack();
      // Usage may share the disk, and be waiting for the room that the log of this transaction took.
      if (this.usage !== this && isNoRoom(error)) await this.#emptyLog().catch(() => undefined);
      throw error;
    }
  }

  async #requireRoom(writer: SqliteWriter): Promise<void> {
    const sql = 'SELECT page_count * page_size AS size FROM pragma_page_count, pragma_page_size';
    for (const { size } of await writer.all<{ size: number }>({ sql }, [])) this.#file.requireRoomFor(size);
  }

  /** Moves the log into the file. @throws StoreUnavailableError if another process is writing all the while */
  async #emptyLog(): Promise<void> {
    const sql = 'PRAGMA wal_checkpoint(TRUNCATE)';
    const [isBusy] = await this.#writer.ask<[number]>({ kind: 'read', sql, rows: [[]] });
    if (isBusy) throw new StoreUnavailableError(new Error(`the log of ${this.#connection.name} is in use: try again`));
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
    const hasBigints = readsBigints(statement);
    if (hasBigints) statement.setReadBigInts(true);
    const columns = statement.columns().map(({ name }) => name);
    if (!columns.includes(DOCUMENT)) return { statement, hasBigints, packed: null };
    const others = columns.filter((name) => name !== DOCUMENT);
    const packed = { sql: packedSql(sql, others), others };
    return { statement, hasBigints, packed };
  }
}

const isNoRoom = (error: unknown): boolean =>
  error instanceof StoreUnavailableError && NO_ROOM.test(sqliteCodeOf(error.cause as Error));
