// Types only: a process on the embedded database loads this file, but not the driver.
import type { Pool, PoolConnection, PoolOptions } from 'mysql2';

/** Rejects values that do not fit, and enables backslash escapes, on which the driver's escaping depends. */
export const SESSION = "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'";

/** Makes reads on a node of a MariaDB Galera cluster see all earlier commits of other nodes, such as the revocation of a key.
 * Other servers skip the comment and only set `sql_mode` to itself. */
export const CAUSAL_READS = 'SET SESSION sql_mode = @@sql_mode /*M! , SESSION wsrep_sync_wait = 1 */';

/** Avoids gap locks, so that usage writes lock only their own rows. Also makes reads after `lockData` see the latest commits:
 * TiDB would otherwise read a snapshot from before the lock was acquired. */
export const READ_COMMITTED = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED';

/** Makes all reads of a transaction see one state. */
export const REPEATABLE_READ = 'SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ';

/** Options of every pool. Ten connections suffice, because look-ups are batched. */
export const POOL_OPTIONS = {
  connectionLimit: 10,
  queueLimit: 2000,
  connectTimeout: 3000,
  enableKeepAlive: true,
  charset: 'utf8mb4_bin',
  // Rows that a statement leaves as they are do not count as changed.
  flags: ['-FOUND_ROWS'],
  // Every stored number is an exact double (at most ±2^53). The options would return large ones as strings.
  supportBigNumbers: false,
  bigNumberStrings: false,
} as const satisfies PoolOptions;

/** Result of preparing each connection's session: null, or the error. */
const sessions = new WeakMap<PoolConnection, Promise<Error | null>>();

/** Prepares the session of every connection that the pool opens from now on. */
export function prepareSessions(pool: Pool, ...moreStatements: readonly string[]): Pool {
  return pool.on('connection', (connection: PoolConnection) => {
    const results = [SESSION, ...moreStatements].map(
      (statement) =>
        // Without a callback the driver would emit an unhandled error event.
        new Promise<Error | null>((resolve) => void connection.query(statement, resolve)),
    );
    const firstError = Promise.all(results).then((errors) => errors.find((error) => error !== null) ?? null);
    sessions.set(connection, firstError);
  });
}

/** Returns the error of preparing a connection's session; null if the connection is ready. */
export const sessionError = async (connection: PoolConnection): Promise<Error | null> =>
  (await sessions.get(connection)) ?? null;
