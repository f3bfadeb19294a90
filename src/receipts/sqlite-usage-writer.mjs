// @ts-check
// Runs in a worker thread, which Node loads by itself: plain JavaScript, so that the same file serves the build and tests.
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

/** How long a record waits for another process's write. */
const BUSY_MS = 10_000;

/** How often it looks again. SQLite's own waiting looks too rarely to meet the moment between two of another's. */
const RETRY_MS = 1;

/**
 * @typedef {{ key: [number, number, string], document: string, totals: [string, number, string, number, number, number][] }} GroupRow
 */

const database = new Database(workerData.path, { timeout: 0 });
// FULL: a commit survives the loss of power, as it does in MySQL.
database.pragma('synchronous = FULL');
// Records are appended: they touch few pages.
database.pragma('cache_size = -2000');

const insert = database.prepare('INSERT INTO usage_journal (day, first_at, group_id, document) VALUES (?, ?, ?, ?)');
const remove = database.prepare('DELETE FROM usage_journal WHERE day = ? AND first_at = ? AND group_id = ?');
const addTotals = database.prepare(
  'INSERT INTO usage_totals (key_id, day, operation, requests, quota_units, credits) VALUES (?, ?, ?, ?, ?, ?) ' +
    'ON CONFLICT (key_id, day, operation) DO UPDATE SET requests = requests + excluded.requests, ' +
    'quota_units = quota_units + excluded.quota_units, credits = credits + excluded.credits',
);

const settle = database.transaction((/** @type {GroupRow[]} */ attempted, /** @type {GroupRow[]} */ truth) => {
  for (const group of attempted) {
    if (remove.run(...group.key).changes === 0) continue;
    for (const [keyId, day, operation, requests, units, credits] of group.totals) {
      addTotals.run(keyId, day, operation, -requests, -units, -credits);
    }
  }
  for (const group of truth) {
    insert.run(...group.key, group.document);
    for (const total of group.totals) addTotals.run(...total);
  }
});

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/**
 * Settles as soon as no other process is writing.
 * @param {GroupRow[]} attempted
 * @param {GroupRow[]} truth
 */
function settleInTurn(attempted, truth) {
  for (const startedAt = Date.now(); ; Atomics.wait(sleeper, 0, 0, RETRY_MS)) {
    try {
      return settle.immediate(attempted, truth);
    } catch (error) {
      const { code } = /** @type {{ code?: string }} */ (error);
      if (code !== 'SQLITE_BUSY' || Date.now() - startedAt > BUSY_MS) throw error;
    }
  }
}

parentPort?.on('message', (/** @type {{ attempted: GroupRow[], truth: GroupRow[] }} */ { attempted, truth }) => {
  try {
    settleInTurn(attempted, truth);
    parentPort?.postMessage({ result: null });
  } catch (error) {
    const { message, code } = /** @type {{ message: string, code?: string }} */ (error);
    parentPort?.postMessage({ error: { message, code: code ?? '' } });
  }
});
