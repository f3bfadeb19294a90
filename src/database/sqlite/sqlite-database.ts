import type { DataSource } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { DOCUMENT } from '../columns.js';
import { Database, MIGRATIONS_TABLE, StoreUnavailableError, type ReadOptions, type Writer } from '../database.js';
import type { Select, StreamRows } from '../statements.js';
import {
  bigintsAsNumbers,
  readsBigints,
  type EmbeddedConnection,
  type EmbeddedStatement,
} from './embedded-connection.js';
import { inFile } from './failed-file.js';
import { OpenedFile } from './opened-file.js';
import { freeUnpackedRows, packedSql, unpackRows } from './packed-rows.js';
import { withSnapshot } from './sqlite-snapshot.js';
import { SqliteThread, type ThreadSettings } from './sqlite-thread.js';
import { SqliteWriter, documentsAsBytes, sqliteErrorCode, toStoreError } from './sqlite-writer.js';

/** Maximum prepared statements in the cache; the service uses a few dozen. */
const MAX_STATEMENTS = 500;

const THREAD = new URL('./sqlite-thread.worker.mjs', import.meta.url);

const READER: ThreadSettings = {
  // A message wakes the thread once for all its statements.
  maxInFlight: 24,
  youngGenerationMib: 3,
  busyTimeoutMs: 10_000,
  lockPollMs: null,
  pragmas: ['query_only = ON', 'cache_size = -2000'],
};

/** Settings of the thread that writes creator data. An import writes up to 8,192 documents per transaction. */
const DATA_WRITER: ThreadSettings = {
  maxInFlight: 6,
  youngGenerationMib: 12,
  busyTimeoutMs: 30_000,
  lockPollMs: null,
  pragmas: [
    'synchronous = NORMAL',
    // 32,000 KiB. An import batch touches tens of thousands of pages; this bounds their memory.
    'cache_size = -32000',
    // Every batch is checkpointed at once, so that emptying the log after a failed batch needs no disk space.
    'wal_autocheckpoint = 1',
    'journal_size_limit = 33554432',
    // Overwrites deleted and replaced content, so that no byte of a forgotten creator remains in the file.
    'secure_delete = ON',
  ],
};

const USAGE_WRITER: ThreadSettings = {
  // All statements of a group, so that no lock is held while the thread waits for a message.
  maxInFlight: 8,
  youngGenerationMib: 3,
  // Shorter than the time for which answers wait for their record, so that they learn the outcome.
  busyTimeoutMs: 1000,
  // SQLite's busy handler polls too rarely to hit the gap between another process's transactions.
  lockPollMs: 1,
  pragmas: [
    // Commits survive a power failure, as in MySQL.
    'synchronous = FULL',
    'cache_size = -2000',
  ],
};

/** How long reads rely on an earlier check of the file; transactions always check it. */
const FILE_CHECK_MS = 1000;

/** Result codes of a full disk. */
const DISK_FULL = /^SQLITE_(FULL|IOERR)/;

interface CachedStatement {
  readonly statement: EmbeddedStatement;
  readonly hasBigints: boolean;
  /** Form in which the reading thread runs the statement; null if it reads no documents. */
  readonly packed: { readonly sql: string; readonly others: readonly string[] } | null;
}

/** Store in SQLite. Look-ups run synchronously, large reads on a reading thread to use a second core, and transactions, which
 * wait for the disk, on a writing thread. */
export class SqliteDatabase extends Database {
  readonly dialect = 'sqlite';
  readonly usage: Database;

  readonly #connection: EmbeddedConnection;
  readonly #file: OpenedFile;
  readonly #statements = new Map<string, CachedStatement>();
  readonly #writer: SqliteThread;
  readonly #reader: SqliteThread;
  #lastWrite: Promise<unknown> = Promise.resolve();

  /** @param usage data source of the usage file; null if this is the usage store */
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

  async all<R>(
    { sql }: Select<R>,
    values: readonly unknown[],
    { prefersThread = false }: ReadOptions = {},
  ): Promise<R[]> {
    const startedAt = performance.now();
    try {
      this.#file.requirePresent(FILE_CHECK_MS);
      const { statement, hasBigints, packed } = this.#prepare(sql);
      if (packed === null || !prefersThread) {
        const rows = documentsAsBytes(statement.all(...values) as R[]);
        return hasBigints ? bigintsAsNumbers(rows) : rows;
      }
      return unpackRows(await this.#reader.call({ kind: 'read', sql: packed.sql, rows: [values] }), packed.others);
    } catch (error) {
      throw toStoreError(inFile(error, this.#connection.name));
    } finally {
      this.reads.observe(performance.now() - startedAt);
    }
  }

  override freePage(rows: readonly object[]): void {
    freeUnpackedRows(rows);
  }

  async ping(): Promise<void> {
    this.#file.requirePresent();
    await this.all({ sql: `SELECT 1 FROM ${MIGRATIONS_TABLE} LIMIT 1` }, []);
    if (this.usage !== this) await this.usage.ping();
  }

  write<T>(work: (writer: Writer) => Promise<T>): Promise<T> {
    // Transactions queue, because overlapping ones on the same connection would merge.
    return this.#serialize(() => this.#transaction(work));
  }

  snapshot<T>(work: (stream: StreamRows) => Promise<T>): Promise<T> {
    this.#file.requirePresent();
    return withSnapshot(this.#connection.name, work);
  }

  override eraseDeleted(): Promise<void> {
    return this.#serialize(() => this.#truncateLog());
  }

  override async limitWriteMemory(): Promise<void> {
    await this.write((writer) => writer.all({ sql: 'PRAGMA cache_size = -4000' }, []));
  }

  async close(): Promise<void> {
    await this.#lastWrite;
    await this.#writer.close();
    await this.#reader.close();
    this.#copyLog();
    await this.dataSource.destroy();
    if (this.usage !== this) await this.usage.close();
  }

  /** Copies the log into the file, so that a copy of the file alone is complete. SQLite does so itself only when no statement is left.
   * Passive, so that no other process waits for it. */
  #copyLog(): void {
    try {
      this.#connection.pragma('wal_checkpoint(PASSIVE)');
    } catch {
      // The disk is full, or the file damaged: what failed because of it says so, and the next start reads the log.
    }
  }

  #serialize<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#lastWrite.then(work);
    this.#lastWrite = result.catch(() => undefined);
    return result;
  }

  async #transaction<T>(work: (writer: Writer) => Promise<T>): Promise<T> {
    this.#file.requirePresent();
    const writer = new SqliteWriter(this.#writer, this.dataSource);
    try {
      const result = await work(writer);
      if (this.usage !== this) await this.#requireDiskSpace(writer);
      await writer.commit();
      return result;
    } catch (error) {
      await writer.rollback();
      // Frees the disk space of this transaction's log for the usage file, which may be on the same disk.
      if (this.usage !== this && isDiskFull(error)) await this.#truncateLog().catch(() => undefined);
      throw error;
    }
  }

  async #requireDiskSpace(writer: SqliteWriter): Promise<void> {
    const sql = 'SELECT page_count * page_size AS size FROM pragma_page_count, pragma_page_size';
    for (const { size } of await writer.all<{ size: number }>({ sql }, [])) this.#file.requireDiskSpace(size);
  }

  /** Moves the log into the file and truncates it. @throws StoreUnavailableError if another process keeps writing */
  async #truncateLog(): Promise<void> {
    const sql = 'PRAGMA wal_checkpoint(TRUNCATE)';
    const [isBusy] = await this.#writer.call<[number]>({ kind: 'read', sql, rows: [[]] });
    if (isBusy)
      throw new StoreUnavailableError(
        new Error(`another process is using the log of ${this.#connection.name}; try again`),
      );
  }

  #prepare(sql: string): CachedStatement {
    let prepared = this.#statements.get(sql);
    if (prepared === undefined) {
      if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
      prepared = this.#compile(sql);
      this.#statements.set(sql, prepared);
    }
    return prepared;
  }

  #compile(sql: string): CachedStatement {
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

const isDiskFull = (error: unknown): boolean =>
  error instanceof StoreUnavailableError && DISK_FULL.test(sqliteErrorCode(error.cause as Error));
