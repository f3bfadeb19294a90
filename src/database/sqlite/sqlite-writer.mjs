// @ts-check
// Runs in a worker thread, which Node loads by itself: plain JavaScript, so that the same file serves the build and tests.
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

/** How long a transaction waits for another process's. */
const BUSY_MS = 30_000;

/** Pages kept, in KiB: a batch of an import touches tens of thousands, and memory is bounded. */
const CACHE_KIB = 32_000;

/**
 * One statement, run for each row of values: `select` answers with all rows found, `run` with the number of changes.
 * @typedef {{ kind: 'select' | 'run', sql: string, rows: (string | number | null)[][] }} Statement
 */

const database = new Database(workerData.path, { timeout: BUSY_MS });
database.pragma('synchronous = NORMAL');
database.pragma(`cache_size = -${CACHE_KIB}`);
// Pages are copied from the log into the database in large strides: an import changes the same ones often.
database.pragma('wal_autocheckpoint = 16000');
database.pragma('journal_size_limit = 67108864');

/** @type {Map<string, Database.Statement>} */
const prepared = new Map();

/** @param {Statement} statement */
function execute({ kind, sql, rows }) {
  // A failed COMMIT may have rolled back by itself.
  if (sql === 'ROLLBACK' && !database.inTransaction) return 0;
  // A thread that was replaced in the middle of a transaction must not write the rest of it on its own.
  if (sql !== 'BEGIN IMMEDIATE' && !database.inTransaction) throw new Error('the transaction was lost with its thread');
  const statement = prepared.get(sql) ?? database.prepare(sql);
  prepared.set(sql, statement);
  if (kind === 'select') {
    statement.raw(true);
    return rows.flatMap((row) => statement.all(...row));
  }
  let changes = 0;
  for (const row of rows) changes += statement.run(...row).changes;
  return changes;
}

parentPort?.on('message', (/** @type {Statement} */ statement) => {
  try {
    parentPort?.postMessage({ result: execute(statement) });
  } catch (error) {
    const { message, code } = /** @type {{ message: string, code?: string }} */ (error);
    parentPort?.postMessage({ error: { message, code: code ?? '' } });
  }
});
