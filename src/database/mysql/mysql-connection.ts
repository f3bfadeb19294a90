import type { FieldPacket, Pool, PoolConnection } from 'mysql2';
import { StoreUnavailableError } from '../database.js';
import type { SqlValue } from '../statements.js';
import { sessionFault } from './mysql-session.js';

/** Client and server errors that mean "unreachable now", not a wrong statement. */
const UNAVAILABLE =
  /^(E[A-Z]+|PROTOCOL_.*|POOL_.*|ER_SERVER_SHUTDOWN|ER_CON_COUNT_ERROR|ER_TOO_MANY_USER_CONNECTIONS|ER_USER_LIMIT_REACHED|ER_ACCESS_DENIED_ERROR|ER_DBACCESS_DENIED_ERROR|ER_BAD_DB_ERROR|ER_NO_SUCH_TABLE|ER_LOCK_WAIT_TIMEOUT|ER_LOCK_DEADLOCK|ER_OPTION_PREVENTS_STATEMENT|ER_QUERY_INTERRUPTED|ER_CONNECTION_KILLED|ER_NORMAL_SHUTDOWN|ER_DISK_FULL|ER_UNKNOWN_COM_ERROR|ER_NET_.*)$/;

/** What TiDB says of the same: https://docs.pingcap.com/tidb/stable/error-codes */
const TIDB_CONFLICTS: ReadonlySet<number | undefined> = new Set([8002, 8022, 8028, 9007]);

/** The pool's own errors, which have no code. */
const REFUSED = /^(Queue limit reached|Pool is closed|Can't add new command|No connections available)/;

const TEXTS: ReadonlySet<number | undefined> = new Set([0xfa, 0xfb, 0xfc]); // MEDIUMTEXT, LONGTEXT, TEXT
const STRINGS: ReadonlySet<number | undefined> = new Set([0xfd, 0xfe]); // VARCHAR, VARBINARY; CHAR, BINARY

const BINARY = 63;
const UTF8MB4_BIN = 46;

/** Another transaction came in between, on this node or another: nothing of this one is stored, and it may run again. */
export class ConflictError extends StoreUnavailableError {}

/** A pooled connection, with a time limit: all may be busy on a hanging server. */
export async function acquire(pool: Pool, timeoutMs: number): Promise<PoolConnection> {
  const connection = await connectionOf(pool, timeoutMs);
  const fault = await sessionFault(connection);
  if (fault === null) return connection;
  cut(connection);
  throw new StoreUnavailableError(fault);
}

function connectionOf(pool: Pool, timeoutMs: number): Promise<PoolConnection> {
  return new Promise((resolve, reject) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      reject(new StoreUnavailableError(new Error('no connection became free in time')));
    }, timeoutMs);
    pool.getConnection((error, connection) => {
      clearTimeout(timer);
      if (error) reject(storeError(error));
      else if (late) connection.release();
      else resolve(connection);
    });
  });
}

/** Destroys a connection: what it still had to send must not reach the server later. */
export function cut(connection: PoolConnection): void {
  connection.destroy();
  (connection as PoolConnection & { stream: { destroy(): void } }).stream.destroy();
}

/** Runs a statement on the pool. @param timeoutMs with the wait for a connection @returns rows, or the result header */
export async function queryPool<T>(pool: Pool, sql: string, values: readonly unknown[], timeoutMs: number): Promise<T> {
  const startedAt = performance.now();
  const connection = await acquire(pool, timeoutMs);
  try {
    const left = Math.max(1, Math.ceil(timeoutMs - (performance.now() - startedAt)));
    const result = await query<T>(connection, sql, values, left);
    connection.release();
    return result;
  } catch (error) {
    // After a timeout the statement may still run: drop the connection.
    if (error instanceof StoreUnavailableError) cut(connection);
    else connection.release();
    throw error;
  }
}

/** Runs a statement, values escaped into its text. @param onAnswer called for each of several
 * statements that succeeds, and for each that begins to give rows */
export function query<T>(
  connection: PoolConnection,
  sql: string,
  values: readonly unknown[],
  timeout: number,
  onAnswer?: () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const command = connection.query({ sql, values: values as unknown[], timeout }, (error, result) => {
      if (error) reject(storeError(error));
      else resolve(result as T);
    });
    command.on('fields', bytesOrText);
    if (onAnswer !== undefined) command.on('fields', onAnswer);
  });
}

/** Runs a prepared statement. */
export function execute<T>(connection: PoolConnection, sql: string, values: SqlValue[], timeout: number): Promise<T> {
  return new Promise((resolve, reject) => {
    connection.execute({ sql, values, timeout }, (error, result) =>
      error ? reject(storeError(error)) : resolve(result as T),
    );
  });
}

/** TEXT as bytes, VARBINARY as strings: the charset is set before the row parser is compiled, at no cost a value. */
function bytesOrText(fields: readonly FieldPacket[] | undefined): void {
  for (const field of fields ?? []) {
    if (TEXTS.has(field.columnType)) field.characterSet = BINARY;
    if (!STRINGS.has(field.columnType)) continue;
    field.characterSet = UTF8MB4_BIN;
    field.encoding = 'utf8';
  }
}

/** An error of the driver. */
type DriverError = NodeJS.ErrnoException & { readonly sqlState?: string };

/** Whether the server took a transaction back for the sake of another: deadlock, certification, write conflict. */
export const isConflict = ({ sqlState, errno }: DriverError): boolean =>
  sqlState === '40001' || TIDB_CONFLICTS.has(errno);

/** Whether the server said so, not the network or a timeout. */
export const isServersAnswer = (error: unknown): boolean =>
  ((error instanceof StoreUnavailableError ? error.cause : error) as DriverError).sqlState !== undefined;

function storeError(error: DriverError): Error {
  if (isConflict(error)) return new ConflictError(error);
  const unavailable = error.code === undefined ? REFUSED.test(error.message) : UNAVAILABLE.test(error.code);
  return unavailable ? new StoreUnavailableError(error) : error;
}
