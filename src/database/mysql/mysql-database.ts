import { createPool, type FieldPacket, type Pool, type PoolConnection } from 'mysql2';
import type { DataSource } from 'typeorm';
import type { MysqlDriver } from 'typeorm/driver/mysql/MysqlDriver.js';
import { StoreUnavailableError } from '../database.js';
import type { Database, Lookup, Row, SqlValue, Writer } from '../database.js';
import { POOL_OPTIONS, SESSION } from './mysql-session.js';

/** A query without an answer for this long counts as a store that cannot be reached. */
const QUERY_TIMEOUT_MS = 10_000;

/** How long a statement waits for a free connection. */
const ACQUIRE_TIMEOUT_MS = 3000;

/** The time limit for a batch of an import. */
const WRITE_TIMEOUT_MS = 60_000;

/** How long a replica that failed is left alone before it is asked again. */
const REPLICA_PAUSE_MS = 5000;

/** Size of one insert: few enough for any `max_allowed_packet`, many enough for the round trip not to matter. */
const MAX_INSERT_CHARACTERS = 2 * 1024 * 1024;
const MAX_INSERT_ROWS = 1024;

/** Rows of one delete. */
const MAX_REMOVED_AT_ONCE = 200;

/** Client and server errors that mean "cannot be reached now", as opposed to a wrong statement. */
const UNAVAILABLE =
  /^(E[A-Z]+|PROTOCOL_.*|POOL_.*|ER_SERVER_SHUTDOWN|ER_CON_COUNT_ERROR|ER_TOO_MANY_USER_CONNECTIONS|ER_ACCESS_DENIED_ERROR|ER_DBACCESS_DENIED_ERROR|ER_BAD_DB_ERROR|ER_NO_SUCH_TABLE|ER_LOCK_WAIT_TIMEOUT|ER_LOCK_DEADLOCK|ER_OPTION_PREVENTS_STATEMENT|ER_QUERY_INTERRUPTED|ER_CONNECTION_KILLED|ER_NORMAL_SHUTDOWN|ER_DISK_FULL|ER_UNKNOWN_COM_ERROR|ER_NET_.*)$/;

interface Replica {
  readonly pool: Pool;
  pausedUntil: number;
}

/** Column types of the protocol. */
const TEXTS: ReadonlySet<number | undefined> = new Set([0xfa, 0xfb, 0xfc]); // MEDIUMTEXT, LONGTEXT, TEXT
const STRINGS: ReadonlySet<number | undefined> = new Set([0xfd, 0xfe]); // VARCHAR, VARBINARY; CHAR, BINARY

/** Character sets of the protocol. */
const BINARY = 63;
const UTF8MB4_BIN = 46;

/**
 * Has the driver hand out bytewise text as strings. It looks at the character set when it makes the parser of a result,
 * so this costs nothing a value.
 */
function bytewiseText(fields: readonly FieldPacket[] | undefined): void {
  // A statement without a result has none.
  for (const field of fields ?? []) {
    if (TEXTS.has(field.columnType)) field.characterSet = BINARY;
    if (!STRINGS.has(field.columnType)) continue;
    field.characterSet = UTF8MB4_BIN;
    field.encoding = 'utf8';
  }
}

/** MySQL, MariaDB and engines that speak their protocol, with optional read replicas. */
export class MysqlDatabase implements Database {
  readonly dialect = 'mysql';
  readonly usage = this;

  readonly #primary: Pool;
  readonly #replicas: Replica[];
  #nextReplica = 0;

  constructor(
    readonly dataSource: DataSource,
    replicaUrls: readonly string[],
  ) {
    this.#primary = (dataSource.driver as MysqlDriver).pool as Pool;
    this.#primary.on('connection', prepareSession);
    // Connected to when first read from: one that is down keeps nobody from starting.
    this.#replicas = replicaUrls.map((uri) => {
      const pool = createPool({ ...POOL_OPTIONS, uri });
      pool.on('connection', prepareSession);
      return { pool, pausedUntil: 0 };
    });
  }

  async read(sql: string, values: readonly SqlValue[]): Promise<Row[]> {
    const replica = this.#pickReplica();
    if (replica !== undefined) {
      try {
        return await query(replica.pool, sql, values);
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        replica.pausedUntil = Date.now() + REPLICA_PAUSE_MS;
      }
    }
    return query(this.#primary, sql, values);
  }

  readFresh(sql: string, values: readonly SqlValue[]): Promise<Row[]> {
    return query(this.#primary, sql, values);
  }

  findMany(lookup: Lookup, group: number | null, ids: readonly (string | number)[], fresh: boolean): Promise<Row[]> {
    const { sql, values } = selectMany(lookup, group, ids);
    return fresh ? query(this.#primary, sql, values) : this.read(sql, values as SqlValue[]);
  }

  async ping(): Promise<void> {
    await query(this.#primary, 'SELECT 1', []);
  }

  async write<T>(work: (writer: Writer) => Promise<T>): Promise<T> {
    const connection = await acquire(this.#primary);
    try {
      await query(connection, 'START TRANSACTION', []);
      const result = await work(writerOn(connection));
      await query(connection, 'COMMIT', []);
      connection.release();
      return result;
    } catch (error) {
      // Ends the transaction whatever state the connection is in.
      cut(connection);
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const { pool } of this.#replicas) pool.end();
    await this.dataSource.destroy();
  }

  #pickReplica(): Replica | undefined {
    const now = Date.now();
    for (let tried = 0; tried < this.#replicas.length; tried += 1) {
      this.#nextReplica = (this.#nextReplica + 1) % this.#replicas.length;
      const replica = this.#replicas[this.#nextReplica];
      if (replica !== undefined && replica.pausedUntil <= now) return replica;
    }
    return undefined;
  }
}

function prepareSession(connection: PoolConnection): void {
  connection.query(SESSION);
}

/** A connection of the pool, within a bounded time: all may be busy with a server that hangs. */
function acquire(pool: Pool): Promise<PoolConnection> {
  return new Promise((resolve, reject) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      reject(new StoreUnavailableError(new Error('no connection became free in time')));
    }, ACQUIRE_TIMEOUT_MS);
    pool.getConnection((error, connection) => {
      clearTimeout(timer);
      if (error) reject(storeError(error));
      else if (late) connection.release();
      else resolve(connection);
    });
  });
}

/** Ends a connection for good: what it still had to send must not reach the server later. */
export function cut(connection: PoolConnection): void {
  connection.destroy();
  (connection as PoolConnection & { stream: { destroy(): void } }).stream.destroy();
}

/** Runs one statement on a connection of the pool, or on the given one. */
async function query(on: Pool | PoolConnection, sql: string, values: readonly unknown[]): Promise<Row[]> {
  if (!('getConnection' in on)) return queryOn(on, sql, values);
  const connection = await acquire(on);
  try {
    const rows = await queryOn(connection, sql, values);
    connection.release();
    return rows;
  } catch (error) {
    // After a timeout the statement may still run: the connection is of no further use.
    if (error instanceof StoreUnavailableError) cut(connection);
    else connection.release();
    throw error;
  }
}

function queryOn(connection: PoolConnection, sql: string, values: readonly unknown[]): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const options = { sql, values: values as unknown[], rowsAsArray: true, timeout: QUERY_TIMEOUT_MS };
    const command = connection.query(options, (error, rows) => {
      if (error) reject(storeError(error));
      else resolve(rows as unknown as Row[]);
    });
    command.on('fields', bytewiseText);
  });
}

function execute(connection: PoolConnection, sql: string, values: SqlValue[]): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.execute({ sql, values, timeout: WRITE_TIMEOUT_MS }, (error) =>
      error ? reject(storeError(error)) : resolve(),
    );
  });
}

function selectMany(
  lookup: Lookup,
  group: number | null,
  ids: readonly (string | number)[],
): { sql: string; values: unknown[] } {
  const columns = [lookup.id, ...lookup.columns].join(', ');
  const where = lookup.group === null ? '' : `${lookup.group} = ? AND `;
  return {
    sql: `SELECT ${columns} FROM ${lookup.table} FORCE INDEX (${lookup.index}) WHERE ${where}${lookup.id} IN (?)`,
    values: group === null ? [ids] : [group, ids],
  };
}

function writerOn(connection: PoolConnection): Writer {
  return {
    all: (sql, values) => query(connection, sql, values),
    run: async (sql, values) =>
      ((await query(connection, sql, values)) as unknown as { affectedRows: number }).affectedRows,
    upsert: async (table, columns, key, rows) => {
      const updates = columns
        .filter((column) => !key.includes(column))
        .map((column) => `${column} = VALUES(${column})`);
      // A no-op update rather than INSERT IGNORE, which would also hide values that do not fit.
      const onDuplicate = updates.length === 0 ? `${key[0]} = ${key[0]}` : updates.join(', ');
      const placeholders = `(${columns.map(() => '?').join(', ')})`;
      for (const chunk of chunks(rows)) {
        // Prepared: the server spares itself the parsing of megabytes of literals, which is a third of an insert.
        await execute(
          connection,
          `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${chunk.map(() => placeholders).join(', ')} ` +
            `ON DUPLICATE KEY UPDATE ${onDuplicate}`,
          chunk.flat(),
        );
      }
    },
    findMany: (lookup, group, ids) => {
      const { sql, values } = selectMany(lookup, group, ids);
      return query(connection, sql, values);
    },
    remove: async (table, columns, keys) => {
      const condition = `(${columns.map((column) => `${column} = ?`).join(' AND ')})`;
      for (let start = 0; start < keys.length; start += MAX_REMOVED_AT_ONCE) {
        const chunk = keys.slice(start, start + MAX_REMOVED_AT_ONCE);
        // Not (a, b) IN ((…)): MariaDB would read the whole table for it.
        await query(connection, `DELETE FROM ${table} WHERE ${chunk.map(() => condition).join(' OR ')}`, chunk.flat());
      }
    },
    lockData: async () => {
      // As patient as a batch may take: it waits for the one of another command.
      await execute(connection, "SELECT value FROM counters WHERE name = 'data_lock' FOR UPDATE", []);
    },
  };
}

/**
 * Cuts rows into chunks of 1024, 512, ... 1: every length would be a prepared statement of its own, kept by the
 * connection on both sides, and imports come in every length.
 */
function* chunks(rows: readonly Row[]): Generator<readonly Row[]> {
  let start = 0;
  while (start < rows.length) {
    let size = Math.min(MAX_INSERT_ROWS, 2 ** Math.floor(Math.log2(rows.length - start)));
    while (size > 1 && charactersOf(rows, start, start + size) > MAX_INSERT_CHARACTERS) size /= 2;
    yield rows.slice(start, start + size);
    start += size;
  }
}

function charactersOf(rows: readonly Row[], start: number, end: number): number {
  let characters = 0;
  for (let index = start; index < end; index += 1) {
    for (const value of rows[index] ?? []) characters += typeof value === 'string' ? value.length : 8;
  }
  return characters;
}

/** The pool's own refusals, which have no code. */
const REFUSED = /^(Queue limit reached|Pool is closed|Can't add new command|No connections available)/;

function storeError(error: NodeJS.ErrnoException): Error {
  const unavailable = error.code === undefined ? REFUSED.test(error.message) : UNAVAILABLE.test(error.code);
  return unavailable ? new StoreUnavailableError(error) : error;
}
