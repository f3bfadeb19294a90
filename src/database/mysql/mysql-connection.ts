import type { FieldPacket, Pool, PoolConnection } from 'mysql2';
import { OutOfBoundsError, StoreUnavailableError } from '../database.js';
import type { SqlValue } from '../statements.js';
import { sessionError } from './mysql-session.js';

/** Codes of client and server errors that mean "temporarily unavailable" rather than an invalid statement. A rejected
 * login is one, too: the service recovers without a restart once the account is mended. */
const UNAVAILABLE =
  /^(E[A-Z]+|PROTOCOL_.*|POOL_.*|ER_SERVER_SHUTDOWN|ER_CON_COUNT_ERROR|ER_TOO_MANY_USER_CONNECTIONS|ER_USER_LIMIT_REACHED|ER_ACCESS_DENIED_ERROR|ER_ACCESS_DENIED_NO_PASSWORD_ERROR|ER_ACCOUNT_HAS_BEEN_LOCKED|ER_MUST_CHANGE_PASSWORD|ER_MUST_CHANGE_PASSWORD_LOGIN|ER_HOST_IS_BLOCKED|ER_HOST_NOT_PRIVILEGED|ER_DBACCESS_DENIED_ERROR|ER_BAD_DB_ERROR|ER_NO_SUCH_TABLE|ER_LOCK_WAIT_TIMEOUT|ER_LOCK_DEADLOCK|ER_OPTION_PREVENTS_STATEMENT|ER_QUERY_INTERRUPTED|ER_QUERY_TIMEOUT|ER_OUT_OF_RESOURCES|ER_OUTOFMEMORY|ER_CANT_CREATE_THREAD|ER_RECORD_FILE_FULL|ER_TOO_BIG_SELECT|ER_CONNECTION_KILLED|ER_NORMAL_SHUTDOWN|ER_DISK_FULL|ER_UNKNOWN_COM_ERROR|ER_NET_.*)$/;

/** TiDB's error numbers of write conflicts: https://docs.pingcap.com/tidb/stable/error-codes */
const TIDB_CONFLICTS: ReadonlySet<number | undefined> = new Set([8002, 8022, 8028, 9007]);

/** MariaDB's error numbers of a locked account and of its `max_statement_time`, for which the driver has no names. */
const MARIADB_UNAVAILABLE: ReadonlySet<number | undefined> = new Set([4151, 1969]);

/** Messages of the pool's own errors, which have no code. */
const POOL_ERRORS = /^(Queue limit reached|Pool is closed|Can't add new command|No connections available)/;

const TEXT_TYPES: ReadonlySet<number | undefined> = new Set([0xfa, 0xfb, 0xfc]); // MEDIUMTEXT, LONGTEXT, TEXT
const STRING_TYPES: ReadonlySet<number | undefined> = new Set([0xfd, 0xfe]); // VARCHAR, VARBINARY; CHAR, BINARY

/** Rows that may wait between the driver and a reader. A row can have megabytes. */
const STREAMED_ROWS = 16;

const BINARY_CHARSET = 63;
const UTF8MB4_BIN = 46;

/** The server rolled the transaction back because of another one, on this node or another. Retrying it is safe. */
export class ConflictError extends StoreUnavailableError {}

/** Acquires a connection of the pool. @param timeoutMs limit for the wait, because a hanging server may occupy all of them */
export async function acquire(pool: Pool, timeoutMs: number): Promise<PoolConnection> {
  const connection = await getConnection(pool, timeoutMs);
  const error = await sessionError(connection);
  if (error === null) return connection;
  destroyConnection(connection);
  throw new StoreUnavailableError(error);
}

function getConnection(pool: Pool, timeoutMs: number): Promise<PoolConnection> {
  return new Promise((resolve, reject) => {
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      reject(new StoreUnavailableError(new Error('no database connection became free in time')));
    }, timeoutMs);
    pool.getConnection((error, connection) => {
      clearTimeout(timer);
      if (error) reject(storeError(error));
      else if (timedOut) connection.release();
      else resolve(connection);
    });
  });
}

/** Destroys a connection and its socket, so that unsent statements never reach the server. */
export function destroyConnection(connection: PoolConnection): void {
  connection.destroy();
  (connection as PoolConnection & { stream: { destroy(): void } }).stream.destroy();
}

/** Runs a statement on the pool. @param timeoutMs limit that includes the wait for a connection
 * @returns the rows, or the result header of a statement without rows */
export async function queryPool<T>(pool: Pool, sql: string, values: readonly unknown[], timeoutMs: number): Promise<T> {
  const startedAt = performance.now();
  const connection = await acquire(pool, timeoutMs);
  try {
    const remainingMs = Math.max(1, Math.ceil(timeoutMs - (performance.now() - startedAt)));
    const result = await query<T>(connection, sql, values, remainingMs);
    connection.release();
    return result;
  } catch (error) {
    // After a timeout the statement may still run on the connection, so it is not reused.
    if (error instanceof StoreUnavailableError) destroyConnection(connection);
    else connection.release();
    throw error;
  }
}

/** Runs one or several statements, with the values escaped into the text.
 * @param onResult called for each statement that succeeds or starts to return rows */
export function query<T>(
  connection: PoolConnection,
  sql: string,
  values: readonly unknown[],
  timeout: number,
  onResult?: () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const command = connection.query({ sql, values: values as unknown[], timeout }, (error, result) => {
      if (error) reject(storeError(error));
      else resolve(result as T);
    });
    command.on('fields', overrideCharsets);
    if (onResult !== undefined) command.on('fields', onResult);
  });
}

/** Runs a statement, and yields its rows while they arrive. @param timeout limit until the first row, in milliseconds */
export async function* queryRows<R>(
  connection: PoolConnection,
  sql: string,
  values: readonly unknown[],
  timeout: number,
): AsyncGenerator<R, void> {
  const command = connection.query({ sql, values: values as unknown[], timeout });
  command.on('fields', overrideCharsets);
  try {
    for await (const row of command.stream({ highWaterMark: STREAMED_ROWS })) yield row as R;
  } catch (error) {
    throw storeError(error as DriverError);
  }
}

/** Runs a prepared statement. */
export function execute<T>(connection: PoolConnection, sql: string, values: SqlValue[], timeout: number): Promise<T> {
  return new Promise((resolve, reject) => {
    connection.execute({ sql, values, timeout }, (error, result) =>
      error ? reject(storeError(error)) : resolve(result as T),
    );
  });
}

/** Makes the driver return TEXT as bytes and VARBINARY as strings: it overrides the charsets before the driver compiles its row
 * parser. */
function overrideCharsets(fields: readonly FieldPacket[] | undefined): void {
  for (const field of fields ?? []) {
    if (TEXT_TYPES.has(field.columnType)) field.characterSet = BINARY_CHARSET;
    if (!STRING_TYPES.has(field.columnType)) continue;
    field.characterSet = UTF8MB4_BIN;
    field.encoding = 'utf8';
  }
}

/** Error of the driver. */
type DriverError = NodeJS.ErrnoException & { readonly sqlState?: string };

/** Reports whether the server rolled a transaction back because of another: deadlock, failed certification or write conflict. */
export const isConflict = ({ sqlState, errno }: DriverError): boolean =>
  sqlState === '40001' || TIDB_CONFLICTS.has(errno);

/** Reports whether an error came from the server rather than from the network or a timeout. */
export function isServerError(error: unknown): boolean {
  const isWrapped = error instanceof StoreUnavailableError || error instanceof OutOfBoundsError;
  return ((isWrapped ? error.cause : error) as DriverError).sqlState !== undefined;
}

function storeError(error: DriverError): Error {
  if (isConflict(error)) return new ConflictError(error);
  if (error.code === 'ER_BAD_NULL_ERROR') return new OutOfBoundsError(error);
  const unavailable = error.code === undefined ? POOL_ERRORS.test(error.message) : UNAVAILABLE.test(error.code);
  return unavailable || MARIADB_UNAVAILABLE.has(error.errno) ? new StoreUnavailableError(error) : error;
}
