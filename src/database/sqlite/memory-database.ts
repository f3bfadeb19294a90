import type { DataSource } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { Database, MIGRATIONS_TABLE, type Writer } from '../database.js';
import type { Select, StreamRows } from '../statements.js';
import type { EmbeddedConnection } from './embedded-connection.js';
import { SqliteWriter, documentsAsBytes, type StatementQueue } from './sqlite-writer.js';
import { StatementRunner, type Statement } from './statement-runner.mjs';

/** Store in the memory of this process, for a few hundred records. Its statements run synchronously, without threads. */
export class MemoryDatabase extends Database {
  readonly dialect = 'sqlite';
  readonly usage = this;

  readonly #runner: StatementRunner;
  readonly #queue: StatementQueue;
  #lastWrite: Promise<unknown> = Promise.resolve();

  /** @param dataSource data source of `:memory:` */
  constructor(readonly dataSource: DataSource) {
    super();
    const connection = (dataSource.driver as BetterSqlite3Driver).databaseConnection as EmbeddedConnection;
    this.#runner = new StatementRunner(connection, { busyTimeoutMs: 0, lockPollMs: null });
    this.#queue = { call: async <T>(statement: object) => this.#runner.execute(statement as Statement) as T };
  }

  async all<R>({ sql }: Select<R>, values: readonly unknown[]): Promise<R[]> {
    return documentsAsBytes(this.#runner.select(sql, [values]) as R[]);
  }

  async ping(): Promise<void> {
    await this.all({ sql: `SELECT 1 FROM ${MIGRATIONS_TABLE} LIMIT 1` }, []);
  }

  write<T>(work: (writer: Writer) => Promise<T>): Promise<T> {
    // Transactions queue, because overlapping ones on the same connection would merge.
    const result = this.#lastWrite.then(() => this.#transaction(work));
    this.#lastWrite = result.catch(() => undefined);
    return result;
  }

  snapshot<T>(work: (stream: StreamRows) => Promise<T>): Promise<T> {
    const all = this.all.bind(this);
    const stream: StreamRows = async function* (statement, values) {
      yield await all(statement, values);
    };
    // Writers wait, because nothing else separates them from the only connection.
    const result = this.#lastWrite.then(() => work(stream));
    this.#lastWrite = result.catch(() => undefined);
    return result;
  }

  async close(): Promise<void> {
    await this.#lastWrite;
    await this.dataSource.destroy();
  }

  async #transaction<T>(work: (writer: Writer) => Promise<T>): Promise<T> {
    const writer = new SqliteWriter(this.#queue, this.dataSource);
    try {
      const result = await work(writer);
      await writer.commit();
      return result;
    } catch (error) {
      await writer.rollback();
      throw error;
    }
  }
}
