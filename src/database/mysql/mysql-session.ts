import { createPool, type Pool, type PoolConnection, type PoolOptions } from 'mysql2';

/**
 * What every session relies on, whatever the server's defaults: values that do not fit are errors, and a backslash
 * escapes (the client's escaping of values depends on it).
 */
export const SESSION = "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'";

/** Records of different processes lock no more than their own rows. */
const READ_COMMITTED = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED';

/** How every pool is set up, the primary's by TypeORM as well. More connections gain nothing: look-ups are collected. */
export const POOL_OPTIONS = {
  connectionLimit: 10,
  queueLimit: 2000,
  connectTimeout: 3000,
  enableKeepAlive: true,
  charset: 'utf8mb4_bin',
  // Every number that is stored is exact as one of JavaScript: at most ±2^53. With support of larger ones, that would be text.
  supportBigNumbers: false,
  bigNumberStrings: false,
} as const satisfies PoolOptions;

/** Has every connection that a pool opens from now on set up as the service relies on. */
export function prepareSessions(pool: Pool, ...further: readonly string[]): Pool {
  return pool.on('connection', (connection: PoolConnection) => {
    for (const statement of [SESSION, ...further]) connection.query(statement);
  });
}

/** A pool of a read replica. Connected to when first read from: one that is down keeps nobody from starting. */
export const replicaPool = (uri: string): Pool => prepareSessions(createPool({ ...POOL_OPTIONS, uri }));

/** The one connection that records usage, so that records never queue behind reads. */
export const usagePool = (uri: string): Pool =>
  prepareSessions(createPool({ ...POOL_OPTIONS, uri, connectionLimit: 1, connectTimeout: 2000 }), READ_COMMITTED);
