// @ts-check
// Worker thread. Plain JavaScript, so that builds and tests load the same file without compiling it.
import { parentPort, workerData } from 'node:worker_threads';
import { DatabaseSync } from '@photostructure/sqlite';

/**
 * Statement to run for each row of values. `select` returns all rows and `run` the number of changes, both inside a
 * transaction. `read` returns the values of the only row, outside a transaction.
 * @typedef {{ kind: 'select' | 'run' | 'read', sql: string, rows: (string | number | null)[][] }} Statement
 */

/** @type {{ path: string } & import('./sqlite-thread.js').ThreadSettings} */
const { path, busyTimeoutMs, lockPollMs, pragmas } = workerData;

const database = new DatabaseSync(path, { timeout: lockPollMs === null ? busyTimeoutMs : 0 });
for (const pragma of pragmas) database.exec(`PRAGMA ${pragma}`);

/** @type {Map<string, import('@photostructure/sqlite').StatementSyncInstance>} */
const prepared = new Map();

/**
 * First error of the current transaction. All later statements fail with it, COMMIT included, so that callers can pipeline
 * statements.
 * @type {unknown}
 */
let failure = null;

const sleepBuffer = new Int32Array(new SharedArrayBuffer(4));

/** @param {Statement} statement */
function execute({ kind, sql, rows }) {
  if (kind === 'read') return Object.values(prepare(sql).get(...(rows[0] ?? [])));
  if (sql === 'BEGIN IMMEDIATE' || sql === 'ROLLBACK') failure = null;
  if (failure !== null) throw failure;
  try {
    if (sql === 'BEGIN IMMEDIATE') return begin();
    if (!database.isTransaction) {
      // The failed statement may already have rolled the transaction back.
      if (sql === 'ROLLBACK') return 0;
      // A thread that replaces a dead one must not run the rest of its transaction on its own.
      throw new Error('the transaction was lost with its thread');
    }
    return kind === 'select' ? select(sql, rows) : run(sql, rows);
  } catch (error) {
    failure = error;
    throw error;
  }
}

/** Begins a transaction as soon as no other process is writing. */
function begin() {
  for (const startedAt = Date.now(); ; Atomics.wait(sleepBuffer, 0, 0, lockPollMs ?? 0)) {
    try {
      return run('BEGIN IMMEDIATE', [[]]);
    } catch (error) {
      const { sqliteCodeName } = /** @type {{ sqliteCodeName?: string }} */ (error);
      if (lockPollMs === null || sqliteCodeName !== 'SQLITE_BUSY' || Date.now() - startedAt > busyTimeoutMs)
        throw error;
    }
  }
}

/** @param {string} sql @param {Statement['rows']} rows */
function select(sql, rows) {
  const statement = prepare(sql);
  const results = rows.flatMap((row) => statement.all(...row));
  for (const row of results) for (const name in row) if (typeof row[name] === 'bigint') row[name] = Number(row[name]);
  return results;
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
  // The driver throws when it reads -(2^53), which stands for "unknown" in such columns, as a number.
  if (statement.columns().some(({ type }) => type?.toLowerCase() === 'bigint')) statement.setReadBigInts(true);
  prepared.set(sql, statement);
  return statement;
}

/** @param {Statement} statement */
function runStatement(statement) {
  try {
    return { result: execute(statement) };
  } catch (error) {
    const { message, sqliteCodeName } = /** @type {{ message: string, sqliteCodeName?: string }} */ (error);
    return { error: { message, code: sqliteCodeName ?? '' } };
  }
}

parentPort?.on('message', (/** @type {Statement[]} */ statements) => {
  const results = statements.map(runStatement);
  const bytes = results.flatMap(({ result }) =>
    Array.isArray(result) && result[0] instanceof Uint8Array ? result[0] : [],
  );
  // Transferred instead of copied, unless they are part of Node's buffer pool.
  const transferable = bytes.filter(({ byteLength, buffer }) => byteLength === buffer.byteLength);
  parentPort?.postMessage(
    results,
    transferable.map(({ buffer }) => /** @type {ArrayBuffer} */ (buffer)),
  );
});
