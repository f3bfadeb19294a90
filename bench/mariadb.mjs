// @ts-check
/** Creates and loads MySQL-compatible databases for benchmarks, and stores how far they are loaded. */
import { Readable } from 'node:stream';
import mysql from 'mysql2/promise';
import { DATA_VERSION } from './data.mjs';
import { SERVER_URL } from './database-server.mjs';

export const databaseUrl = (/** @type {string} */ database) => `${SERVER_URL}/${database}`;

/** Connects to a database, and creates it if needed. */
export async function connect(/** @type {string} */ database) {
  const server = await mysql.createConnection({ uri: SERVER_URL });
  await server.query(`CREATE DATABASE IF NOT EXISTS \`${database}\` CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`);
  await server.end();
  return mysql.createConnection({ uri: databaseUrl(database), timezone: 'Z' });
}

/** @typedef {Awaited<ReturnType<typeof connect>>} Connection */

/** Drops a database if it exists. `connect` creates it. */
export async function drop(/** @type {string} */ database) {
  const server = await mysql.createConnection({ uri: SERVER_URL });
  await server.query(`DROP DATABASE IF EXISTS \`${database}\``);
  await server.end();
}

/**
 * Reads and stores how many records of each kind are loaded. The numbers are in the database itself, so that they are
 * dropped with the data.
 */
export async function loadedSizes(/** @type {Connection} */ connection, basis = '') {
  const version = `${DATA_VERSION}${basis}`;
  await connection.query(
    'CREATE TABLE IF NOT EXISTS bench_state (part VARCHAR(40) PRIMARY KEY, size BIGINT, version VARCHAR(80))',
  );
  const [rows] = await connection.query('SELECT part, size FROM bench_state WHERE version = ?', [version]);
  const sizes = new Map(/** @type {any[]} */ (rows).map((row) => [String(row.part), Number(row.size)]));
  return {
    size: (/** @type {string} */ part) => sizes.get(part) ?? 0,
    record: async (/** @type {string} */ part, /** @type {number} */ size) => {
      sizes.set(part, size);
      await connection.query('REPLACE INTO bench_state VALUES (?, ?, ?)', [part, size, version]);
    },
  };
}

/** Formats a row as a line for LOAD DATA. */
export function tsv(/** @type {readonly (string | number | boolean | null)[]} */ row) {
  let line = '';
  for (let i = 0; i < row.length; i++) {
    if (i > 0) line += '\t';
    const value = row[i];
    if (value === null || value === undefined) line += '\\N';
    else if (typeof value === 'string') line += UNSAFE.test(value) ? value.replace(UNSAFE_ALL, '\\$&') : value;
    else line += Number(value);
  }
  return line + '\n';
}

const UNSAFE = /[\\\t\n]/;
const UNSAFE_ALL = /[\\\t\n]/g;

/**
 * Runs LOAD DATA from a stream of lines, without a file.
 * @param {Connection} connection @param {string} table @param {Iterable<Buffer>} pieces @param {string[]} columns
 */
export async function loadData(connection, table, pieces, columns, charset = 'utf8mb4') {
  await connection.query('SET unique_checks = 0, foreign_key_checks = 0');
  await connection.query({
    sql: `LOAD DATA LOCAL INFILE 'stream' INTO TABLE ${table} CHARACTER SET ${charset} (${columns.join(', ')})`,
    infileStreamFactory: () => Readable.from(pieces),
  });
  await connection.query('SET unique_checks = 1, foreign_key_checks = 1');
}

/**
 * Updates statistics, because those of an empty table could give one server bad plans. From a sample, MariaDB may estimate
 * two values for a column that has one. An equality then looks as selective as a range, and a deep page reads everything
 * before it. MariaDB's exact statistics prevent that; MySQL has no such command.
 */
export async function analyze(
  /** @type {Connection} */ connection,
  /** @type {string[]} */ tables,
  { exact = true } = {},
) {
  for (const table of tables) {
    const plain = () => connection.query(`ANALYZE TABLE ${table}`);
    if (exact) await connection.query(`ANALYZE TABLE ${table} PERSISTENT FOR ALL`).catch(plain);
    else await plain();
  }
}
