import { createPool, type Pool, type PoolConnection, type PoolOptions } from 'mysql2';

/** Values that do not fit are errors, and backslash escapes: the client's escaping depends on it. */
export const SESSION = "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'";

/** On a Galera cluster of MariaDB a read of the primary sees what any node has committed before: a key that was revoked
 * there is refused here. Other servers read this as a comment, and set a variable to itself. */
export const CAUSAL_READS = 'SET SESSION sql_mode = @@sql_mode /*M! , SESSION wsrep_sync_wait = 1 */';

/** No gap locks: records of other processes lock only their own rows. And what a transaction reads behind its lock is as of
 * now: TiDB would read as of its beginning, when another one may have held the lock. */
export const READ_COMMITTED = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED';

/** Options of every pool. More connections gain nothing: look-ups are batched. */
export const POOL_OPTIONS = {
  connectionLimit: 10,
  queueLimit: 2000,
  connectTimeout: 3000,
  enableKeepAlive: true,
  charset: 'utf8mb4_bin',
  // Every stored number is an exact double (at most ±2^53); with support, large ones would be strings.
  supportBigNumbers: false,
  bigNumberStrings: false,
} as const satisfies PoolOptions;

/** What became of setting up a connection's session. */
const sessions = new WeakMap<PoolConnection, Promise<Error | null>>();

/** Sets up the session of every connection that the pool opens from now on. */
export function prepareSessions(pool: Pool, ...further: readonly string[]): Pool {
  return pool.on('connection', (connection: PoolConnection) => {
    const statements = [SESSION, ...further].map(
      (statement) =>
        // Without a callback a refusal would be an error event that nobody handles.
        new Promise<Error | null>((resolve) => void connection.query(statement, resolve)),
    );
    const refused = Promise.all(statements).then((errors) => errors.find((error) => error !== null) ?? null);
    sessions.set(connection, refused);
  });
}

/** @returns why a connection must not be used, null if its session is as it should be */
export const sessionFault = async (connection: PoolConnection): Promise<Error | null> =>
  (await sessions.get(connection)) ?? null;

/** Pool of a read replica. Connects lazily: one that is down does not block the start. */
export const replicaPool = (uri: string): Pool => prepareSessions(createPool({ ...POOL_OPTIONS, uri }));

/** One dedicated connection: usage writes never queue behind reads. */
export const usagePool = (uri: string): Pool =>
  prepareSessions(
    createPool({ ...POOL_OPTIONS, uri, connectionLimit: 1, connectTimeout: 2000, multipleStatements: true }),
    READ_COMMITTED,
  );
