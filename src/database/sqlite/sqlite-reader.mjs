// @ts-check
// Runs in a worker thread, which Node loads by itself: plain JavaScript, so that the same file serves the build and tests.
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

/** Pages kept, in KiB. */
const CACHE_KIB = 2000;

/** Prepared statements kept. */
const MAX_STATEMENTS = 100;

/**
 * One read whose row is a piece of bytes and texts; it is answered with these, and the bytes are handed over.
 * @typedef {{ sql: string, values: (string | number | null)[] }} Read
 */

const database = new Database(workerData.path, { readonly: true });
database.pragma(`cache_size = -${CACHE_KIB}`);

/** @type {Map<string, Database.Statement>} */
const prepared = new Map();

/** @param {Read} read @returns {[Buffer | null, ...string[]]} */
function execute({ sql, values }) {
  let statement = prepared.get(sql);
  if (statement === undefined) {
    if (prepared.size >= MAX_STATEMENTS) prepared.clear();
    statement = database.prepare(sql).raw(true);
    prepared.set(sql, statement);
  }
  return /** @type {[Buffer | null, ...string[]]} */ (statement.get(...values));
}

parentPort?.on('message', (/** @type {Read} */ read) => {
  try {
    const result = execute(read);
    const [bytes] = result;
    // Small ones are pieces of a pool that is this thread's own.
    const isWhole = bytes !== null && bytes.byteLength === bytes.buffer.byteLength;
    parentPort?.postMessage({ result }, isWhole ? [/** @type {ArrayBuffer} */ (bytes.buffer)] : []);
  } catch (error) {
    const { message, code } = /** @type {{ message: string, code?: string }} */ (error);
    parentPort?.postMessage({ error: { message, code: code ?? '' } });
  }
});
