// @ts-check
// Worker thread. Plain JavaScript, so that builds and tests load the same file without compiling it.
import { parentPort, workerData } from 'node:worker_threads';
import { DatabaseSync } from '@photostructure/sqlite';
import { StatementRunner } from './statement-runner.mjs';

/** @type {{ path: string, closing: Int32Array } & import('./sqlite-thread.js').ThreadSettings} */
const { path, closing, busyTimeoutMs, lockPollMs, pragmas } = workerData;

const database = new DatabaseSync(path, { timeout: lockPollMs === null ? busyTimeoutMs : 0 });
for (const pragma of pragmas) database.exec(`PRAGMA ${pragma}`);

const runner = new StatementRunner(database, { busyTimeoutMs, lockPollMs });

/** @param {import('./statement-runner.mjs').Statement} statement */
function runStatement(statement) {
  if (Atomics.load(closing, 0) === 1) return { error: { message: 'the database is closing', code: 'THREAD_ENDED' } };
  try {
    return { result: runner.execute(statement) };
  } catch (error) {
    const { message, sqliteCodeName } = /** @type {{ message: string, sqliteCodeName?: string }} */ (error);
    return { error: { message, code: sqliteCodeName ?? '' } };
  }
}

parentPort?.on('message', (/** @type {import('./statement-runner.mjs').Statement[] | null} */ statements) => {
  if (statements === null) {
    database.close();
    parentPort?.close();
    return;
  }
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
