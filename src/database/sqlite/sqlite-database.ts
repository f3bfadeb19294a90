import type BetterSqlite3 from 'better-sqlite3';
import type { DataSource } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { SqliteThread } from './sqlite-thread.js';
import { StoreUnavailableError } from '../database.js';
import type { Database, Lookup, Row, SqlValue, Writer } from '../database.js';

/** Prepared statements kept; the service has a few dozen. */
const MAX_STATEMENTS = 500;

/** Short-lived memory of the thread that writes, in MiB: an import hands it a thousand documents at a time. */
const WRITER_YOUNG_MIB = 12;

/** Results that mean "not now" or "not there", as opposed to a wrong statement. */
const UNAVAILABLE = /^(SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|FULL|READONLY|CORRUPT|NOTADB|PROTOCOL)|THREAD_ENDED$)/;

/**
 * The embedded database. Reads are synchronous inside the process: they take microseconds. Transactions run on a thread
 * beside: they wait for the disk and for each other, and an import reads lines while it writes.
 */
export class SqliteDatabase implements Database {
  readonly dialect = 'sqlite';
  readonly usage: Database;

  readonly #connection: BetterSqlite3.Database;
  readonly #statements = new Map<string, BetterSqlite3.Statement>();
  readonly #writerThread: SqliteThread;
  #lastWrite: Promise<unknown> = Promise.resolve();
  /** What the writer's thread was given last in the transaction at hand. */
  #handedOver: Promise<unknown> = Promise.resolve();

  /** @param usage the database of usage; none: this is the one */
  constructor(
    readonly dataSource: DataSource,
    usage: Database | null,
  ) {
    this.usage = usage ?? this;
    const driver = dataSource.driver as BetterSqlite3Driver;
    this.#connection = driver.databaseConnection as BetterSqlite3.Database;
    this.#writerThread = new SqliteThread(
      new URL('./sqlite-writer.mjs', import.meta.url),
      this.#connection.name,
      WRITER_YOUNG_MIB,
    );
  }

  async read(sql: string, values: readonly SqlValue[]): Promise<Row[]> {
    const rows = this.#guarded(() => this.#select(sql).all(...values) as SqlValue[][]);
    const at = /^(WITH.*?\) )?SELECT ([\w, ]*)document/.exec(sql)?.[2]?.split(',').length;
    if (at !== undefined)
      for (const row of rows) if (typeof row[at - 1] === 'string') row[at - 1] = Buffer.from(row[at - 1] as string);
    return rows;
  }

  readFresh(sql: string, values: readonly SqlValue[]): Promise<Row[]> {
    return this.read(sql, values);
  }

  findMany(
    { table, group, id, columns }: Lookup,
    groupValue: number | null,
    ids: readonly (string | number)[],
  ): Promise<Row[]> {
    const inGroup = group === null ? '' : `${group} = ? AND `;
    // One value however many IDs there are, so one statement to keep. A cross join is read in the order that is written.
    const sql =
      'WITH wanted (wanted_id) AS (SELECT value FROM json_each(?)) ' +
      `SELECT ${[id, ...columns].join(', ')} FROM wanted CROSS JOIN ${table} ON ${inGroup}${id} = wanted_id`;
    return this.read(sql, [JSON.stringify(ids), ...(groupValue === null ? [] : [groupValue])]);
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
    await this.#writerThread.close();
    await this.dataSource.destroy();
    if (this.usage !== this) await this.usage.close();
  }

  async #transaction<T>(work: (writer: Writer) => Promise<T>): Promise<T> {
    await this.#run('BEGIN IMMEDIATE', [[]]);
    this.#handedOver = Promise.resolve();
    try {
      const result = await work(this.#writer);
      await this.#handedOver;
      await this.#run('COMMIT', [[]]);
      return result;
    } catch (error) {
      await this.#run('ROLLBACK', [[]]);
      throw error;
    }
  }

  readonly #writer: Writer = {
    all: (sql, values) => this.#afterRows(this.#ask<Row[]>('select', sql, [values])),
    run: (sql, values) => this.#afterRows(this.#run(sql, [values])),
    upsert: async (table, columns, key, rows) => {
      const updates = columns
        .filter((column) => !key.includes(column))
        .map((column) => `${column} = excluded.${column}`);
      const statement =
        `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')}) ` +
        `ON CONFLICT (${key.join(', ')}) DO ${updates.length === 0 ? 'NOTHING' : `UPDATE SET ${updates.join(', ')}`}`;
      await this.#handOver(statement, rows);
    },
    findMany: (lookup, group, ids) =>
      // In a loop: it has the thread to itself.
      this.#afterRows(
        this.#ask<Row[]>(
          'select',
          `SELECT ${[lookup.id, ...lookup.columns].join(', ')} FROM ${lookup.table} WHERE ` +
            `${lookup.group === null ? '' : `${lookup.group} = ? AND `}${lookup.id} = ?`,
          ids.map((id) => (group === null ? [id] : [group, id])),
        ),
      ),
    remove: async (table, columns, keys) => {
      await this.#handOver(
        `DELETE FROM ${table} WHERE ${columns.map((column) => `${column} = ?`).join(' AND ')}`,
        keys,
      );
    },
    // BEGIN IMMEDIATE already keeps every other writer out.
    lockData: async () => undefined,
  };

  /**
   * Has rows written while the caller makes the next ones, so that the thread always has work. What goes wrong is told
   * with the next statement, or before the commit.
   */
  async #handOver(sql: string, rows: readonly Row[]): Promise<void> {
    const before = this.#handedOver;
    this.#handedOver = this.#run(sql, rows);
    this.#handedOver.catch(() => undefined); // whoever awaits it is told
    await before;
  }

  /** An answer, unless rows that were handed over before it went wrong: that is then the cause of whatever it failed with. */
  async #afterRows<T>(answer: Promise<T>): Promise<T> {
    const [, result] = await Promise.all([this.#handedOver, answer]);
    return result;
  }

  #run(sql: string, rows: readonly Row[]): Promise<number> {
    return this.#ask<number>('run', sql, rows);
  }

  /** Has the writer's thread run a statement once for each row of values. */
  async #ask<T>(kind: 'select' | 'run', sql: string, rows: readonly Row[]): Promise<T> {
    try {
      return await this.#writerThread.ask<T>({ kind, sql, rows });
    } catch (error) {
      throw unavailable(error);
    }
  }

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
      throw unavailable(error);
    }
  }
}

/** The error as callers know it: one of the store's condition, or of the statement. */
function unavailable(error: unknown): unknown {
  return error instanceof Error && 'code' in error && UNAVAILABLE.test(String(error.code))
    ? new StoreUnavailableError(error)
    : error;
}
