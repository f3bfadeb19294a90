import type { PoolOptions } from 'mysql2';

/**
 * What every session relies on, whatever the server's defaults: values that do not fit are errors, and a backslash
 * escapes (the client's escaping of values depends on it).
 */
export const SESSION = "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'";

/** How every pool is set up, the primary's by TypeORM as well. More connections gain nothing: look-ups are collected. */
export const POOL_OPTIONS = {
  connectionLimit: 10,
  queueLimit: 2000,
  connectTimeout: 3000,
  enableKeepAlive: true,
  charset: 'utf8mb4_bin',
  supportBigNumbers: true,
  bigNumberStrings: false,
} as const satisfies PoolOptions;
