// @ts-check
// Runs in a worker thread, which Node loads by itself: plain JavaScript, so that the same file serves the build and tests.
import { parentPort, workerData } from 'node:worker_threads';
import { DatabaseSync } from '@photostructure/sqlite';

/**
 * One statement, run for each row of values: `select` answers with all rows found, `run` with the number of changes, both
 * within a transaction; `read` with the values of the only row, outside of one.
 * @typedef {{ kind: 'select' | 'run' | 'read', sql: string, rows: (string | number | null)[][] }} Statement
 */

/** @type {{ path: string } & import('./sqlite-thread.js').ThreadSettings} */
const { path, busyMs, retryMs, pragmas } = workerData;

const database = new DatabaseSync(path, { timeout: retryMs === null ? busyMs : 0 });
for (const pragma of pragmas) database.exec(`PRAGMA ${pragma}`);

/** @type {Map<string, import('@photostructure/sqlite').StatementSyncInstance>} */
const prepared = new Map();

/**
 * What went wrong in the transaction at hand. It is the answer to all that follows, the commit included: a caller need not
 * wait for one statement before it sends the next.
 * @type {unknown}
 */
let failure = null;

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** @param {Statement} statement */
function execute({ kind, sql, rows }) {
  if (kind === 'read') return Object.values(prepare(sql).get(...(rows[0] ?? [])));
  if (sql === 'BEGIN IMMEDIATE' || sql === 'ROLLBACK') failure = null;
  if (failure !== null) throw failure;
  try {
    if (sql === 'BEGIN IMMEDIATE') return begin();
    if (!database.isTransaction) {
      // What fails may have rolled back by itself.
      if (sql === 'ROLLBACK') return 0;
      // A thread that was replaced in the middle of a transaction must not write the rest of it on its own.
      throw new Error('the transaction was lost with its thread');
    }
    return kind === 'select' ? select(sql, rows) : run(sql, rows);
  } catch (error) {
    failure = error;
    throw error;
  }
}

/** Begins as soon as no other process is writing. */
function begin() {
  for (const startedAt = Date.now(); ; Atomics.wait(sleeper, 0, 0, retryMs ?? 0)) {
    try {
      return run('BEGIN IMMEDIATE', [[]]);
    } catch (error) {
      const { sqliteCodeName } = /** @type {{ sqliteCodeName?: string }} */ (error);
      if (retryMs === null || sqliteCodeName !== 'SQLITE_BUSY' || Date.now() - startedAt > busyMs) throw error;
    }
  }
}

/** @param {string} sql @param {Statement['rows']} rows */
function select(sql, rows) {
  const statement = prepare(sql);
  const found = rows.flatMap((row) => statement.all(...row));
  for (const row of found) for (const name in row) if (typeof row[name] === 'bigint') row[name] = Number(row[name]);
  return found;
}

/** @param {string} sql @param {Statement['rows']} rows */
function run(sql, rows) {
  const statement = prepare(sql);
  let changes = 0;
  for (const row of rows) changes += statement.run(...row).changes;
  return changes;
}

/** @param {string} sql */
function prepare(sql) {
  let statement = prepared.get(sql);
  if (statement !== undefined) return statement;
  statement = database.prepare(sql);
  // The driver refuses to read -(2^53), which is "unknown" in such columns, as a number.
  if (statement.columns().some(({ type }) => type?.toLowerCase() === 'bigint')) statement.setReadBigInts(true);
  prepared.set(sql, statement);
  return statement;
}

/** @param {Statement} statement */
function answer(statement) {
  try {
    return { result: execute(statement) };
  } catch (error) {
    const { message, sqliteCodeName } = /** @type {{ message: string, sqliteCodeName?: string }} */ (error);
    return { error: { message, code: sqliteCodeName ?? '' } };
  }
}

parentPort?.on('message', (/** @type {Statement[]} */ statements) => {
  const answers = statements.map(answer);
  const bytes = answers.flatMap(({ result }) =>
    Array.isArray(result) && result[0] instanceof Uint8Array ? result[0] : [],
  );
  // Handed over instead of copied, unless they are part of Node's pool.
  const whole = bytes.filter(({ byteLength, buffer }) => byteLength === buffer.byteLength);
  parentPort?.postMessage(
    answers,
    whole.map(({ buffer }) => /** @type {ArrayBuffer} */ (buffer)),
  );
});
