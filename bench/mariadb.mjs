// @ts-check
/** What the benchmarks do with the MySQL-compatible database besides asking questions: create, load, remember. */
import { readdirSync, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import mysql from 'mysql2/promise';
import { DATA_VERSION } from './data.mjs';

/** Where the database server is; the databases inside it have names of their own. */
const SERVER_URL = process.env['BENCH_DATABASE_URL'] ?? 'mysql://root@127.0.0.1:3306';

export const databaseUrl = (/** @type {string} */ database) => `${SERVER_URL}/${database}`;

/** Opens a connection to a database, which is created first if need be. */
export async function connect(/** @type {string} */ database) {
  const server = await mysql.createConnection({ uri: SERVER_URL });
  await server.query(`CREATE DATABASE IF NOT EXISTS \`${database}\` CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`);
  await server.end();
  return mysql.createConnection({ uri: databaseUrl(database), timezone: 'Z' });
}

/** @typedef {Awaited<ReturnType<typeof connect>>} Connection */

/** Drops and creates a database anew: the quickest way to start over. */
export async function recreate(/** @type {string} */ database) {
  const server = await mysql.createConnection({ uri: SERVER_URL });
  await server.query(`DROP DATABASE IF EXISTS \`${database}\``);
  await server.end();
}

/**
 * How far each kind of record is loaded, kept in the database itself: whoever drops it or loads another version of
 * the data cannot leave a note behind that says otherwise.
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

/** One row as a line of LOAD DATA's own format. */
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
 * LOAD DATA from a stream of lines; nothing is written to a file first.
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
 * Fresh statistics: a plan made from those of an empty table would make one server look bad by accident. MariaDB
 * guesses from a sample that a column with one value has two; then an equality looks as selective as a range, and a
 * deep page reads everything before it. Its own, exact statistics prevent that; MySQL has no such command.
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

/**
 * Raises the buffer pool to at least `size` ("4G") for the run; every server profits alike. Without the right to do
 * so the run goes on and the report says what it was.
 */
export async function raiseBufferPool(/** @type {string} */ size) {
  const connection = await mysql.createConnection({ uri: SERVER_URL });
  const before = await bufferPoolBytes(connection);
  const wanted = Number.parseFloat(size) * ({ K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 }[size.slice(-1).toUpperCase()] ?? 1);
  let problem = '';
  if (wanted > before) {
    await connection
      .query('SET GLOBAL innodb_buffer_pool_size = ?', [wanted])
      .catch((error) => (problem = error.message));
  }
  const raised = wanted > before && !problem;
  const [version] = await connection.query('SELECT VERSION() AS version');
  await connection.end();
  // The server resizes in the background, so the size to tell is the one it was asked for.
  const mib = (/** @type {number} */ bytes) => `${Math.round(bytes / 2 ** 20)} MiB`;
  const change = raised ? ` (raised from ${mib(before)} for the run)` : problem && ` (could not be raised: ${problem})`;
  return {
    note: `${/** @type {any} */ (version)[0].version}, innodb_buffer_pool_size ${mib(raised ? wanted : before)}${change}`,
    restore: async () => {
      if (!raised) return;
      const again = await mysql.createConnection({ uri: SERVER_URL });
      await again.query('SET GLOBAL innodb_buffer_pool_size = ?', [before]).finally(() => again.end());
    },
  };
}

async function bufferPoolBytes(/** @type {mysql.Connection} */ connection) {
  const [rows] = await connection.query('SELECT @@innodb_buffer_pool_size AS size');
  return Number(/** @type {any} */ (rows)[0].size);
}

/** The database's process when it runs on this machine: its CPU time is the other half of a request's cost. */
export function databaseProcess() {
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const name = readFileSync(`/proc/${entry}/comm`, 'utf8').trim();
      if (name === 'mariadbd' || name === 'mysqld') return Number(entry);
    } catch {
      // The process ended between the two looks.
    }
  }
  return undefined;
}
