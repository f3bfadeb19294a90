import type BetterSqlite3 from 'better-sqlite3';
import type { DataSource } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { StoreUnavailableError, type Database, type Lookup, type Row, type SqlValue, type Writer } from './database.js';

/** Prepared statements kept; the service has a few dozen. */
const MAX_STATEMENTS = 500;

/** Pages kept by a writer, in KiB. */
const WRITER_CACHE_KIB = 64_000;

/** SQLite's results that mean "not now" or "not there", as opposed to a wrong statement. */
const UNAVAILABLE = /^SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|FULL|READONLY|CORRUPT|NOTADB|PROTOCOL)/;

/** The embedded database. Reads are synchronous inside the process: a look-up takes microseconds. */
export class SqliteDatabase implements Database {
  readonly dialect = 'sqlite';
  readonly documentBytes = 'CAST(document AS BLOB)';

  readonly #connection: BetterSqlite3.Database;
  readonly #statements = new Map<string, BetterSqlite3.Statement>();
  #lastWrite: Promise<unknown> = Promise.resolve();
  #isWriter = false;

  constructor(readonly dataSource: DataSource) {
    const driver = dataSource.driver as BetterSqlite3Driver;
    this.#connection = driver.databaseConnection as BetterSqlite3.Database;
  }

  async read(sql: string, values: readonly SqlValue[]): Promise<Row[]> {
    return this.#guarded(() => this.#select(sql).all(...values) as Row[]);
  }

  readFresh(sql: string, values: readonly SqlValue[]): Promise<Row[]> {
    return this.read(sql, values);
  }

  async findMany(lookup: Lookup, group: number | null, ids: readonly (string | number)[]): Promise<Row[]> {
    // One prepared statement in a loop: IN lists would be a new statement for every length.
    const where = lookup.group === null ? `${lookup.id} = ?` : `${lookup.group} = ? AND ${lookup.id} = ?`;
    const statement = `SELECT ${[lookup.id, ...lookup.columns].join(', ')} FROM ${lookup.table} WHERE ${where}`;
    return this.#guarded(() => {
      const select = this.#select(statement);
      return ids.flatMap((id) => (group === null ? select.all(id) : select.all(group, id)) as Row[]);
    });
  }

  async ping(): Promise<void> {
    await this.read('SELECT 1 FROM schema_migrations LIMIT 1', []);
  }

  write<T>(work: (writer: Writer) => Promise<T>): Promise<T> {
    // One connection has one transaction: overlapping ones would merge, so each waits for the one before.
    const result = this.#lastWrite.then(() => this.#transaction(work));
    this.#lastWrite = result.catch(() => undefined);
    return result;
  }

  async close(): Promise<void> {
    await this.#lastWrite;
    await this.dataSource.destroy();
  }

  async #transaction<T>(work: (writer: Writer) => Promise<T>): Promise<T> {
    this.#enlargeCache();
    this.#guarded(() => this.#connection.exec('BEGIN IMMEDIATE'));
    try {
      const result = await work(this.#writer);
      this.#guarded(() => this.#connection.exec('COMMIT'));
      return result;
    } catch (error) {
      if (this.#connection.inTransaction) this.#connection.exec('ROLLBACK');
      throw error;
    }
  }

  /** For writers, the operator's commands, alone: a batch touches tens of thousands of pages, a reader a few. */
  #enlargeCache(): void {
    if (this.#isWriter) return;
    this.#isWriter = true;
    this.#connection.pragma(`cache_size = -${WRITER_CACHE_KIB}`);
  }

  readonly #writer: Writer = {
    all: (sql, values) => this.read(sql, values),
    run: async (sql, values) => this.#guarded(() => this.#prepare(sql).run(...values).changes),
    upsert: async (table, columns, key, rows) => {
      const updates = columns
        .filter((column) => !key.includes(column))
        .map((column) => `${column} = excluded.${column}`);
      const statement = this.#prepare(
        `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')}) ` +
          `ON CONFLICT (${key.join(', ')}) DO ${updates.length === 0 ? 'NOTHING' : `UPDATE SET ${updates.join(', ')}`}`,
      );
      this.#guarded(() => {
        for (const row of rows) statement.run(...row);
      });
    },
    findMany: (lookup, group, ids) => this.findMany(lookup, group, ids),
    remove: async (table, columns, keys) => {
      const statement = this.#prepare(
        `DELETE FROM ${table} WHERE ${columns.map((column) => `${column} = ?`).join(' AND ')}`,
      );
      this.#guarded(() => {
        for (const key of keys) statement.run(...key);
      });
    },
    // BEGIN IMMEDIATE already keeps every other writer out.
    lockData: async () => undefined,
  };

  #select(sql: string): BetterSqlite3.Statement {
    return this.#prepare(sql).raw(true);
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

  #guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof Error && 'code' in error && UNAVAILABLE.test(String(error.code))) {
        throw new StoreUnavailableError(error);
      }
      throw error;
    }
  }
}
