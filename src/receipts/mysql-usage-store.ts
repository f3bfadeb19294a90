import { createPool, format, type Pool, type PoolConnection } from 'mysql2';
import { cut } from '../database/mysql/mysql-database.js';
import { SESSION } from '../database/mysql/mysql-session.js';
import { encodeRecords, totalsOf, type UsageGroup, type UsageTotal } from './usage-record.js';
import { firstAt, type UsageStore } from './usage-store.js';

/** A write without an answer for this long has failed; the recorder decides what then. */
const WRITE_TIMEOUT_MS = 5000;

/**
 * Usage records in MySQL. A connection of its own, so that records never queue behind reads, and a group's transaction
 * is one round trip.
 */
export class MysqlUsageStore implements UsageStore {
  readonly #pool: Pool;

  constructor(url: string) {
    this.#pool = createPool({
      uri: url,
      connectionLimit: 1,
      multipleStatements: true,
      charset: 'utf8mb4_bin',
      connectTimeout: 2000,
      enableKeepAlive: true,
    });
    this.#pool.on('connection', (connection) =>
      connection.query(`${SESSION}; SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED`),
    );
  }

  async write(groups: readonly UsageGroup[]): Promise<void> {
    await this.#transaction(insertions(groups));
  }

  async settle(attempted: readonly UsageGroup[], truth: readonly UsageGroup[]): Promise<void> {
    const arrived: UsageGroup[] = [];
    for (const group of attempted) {
      // A locking read: waits for the attempt, should its transaction still be open.
      const rows = await this.#query(
        format('SELECT 1 FROM usage_journal WHERE day = ? AND first_at = ? AND group_id = ? FOR UPDATE', keyOf(group)),
      );
      if (Array.isArray(rows) && rows.length > 0) arrived.push(group);
    }
    const removals = arrived.map((group) =>
      format('DELETE FROM usage_journal WHERE day = ? AND first_at = ? AND group_id = ?', keyOf(group)),
    );
    await this.#transaction([...removals, ...addTotals(totalsOf(arrived, -1)), ...insertions(truth)]);
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#pool.end(() => resolve()));
  }

  async #transaction(statements: readonly string[]): Promise<void> {
    await this.#query(['START TRANSACTION', ...statements, 'COMMIT'].join(';'));
  }

  #query(sql: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#pool.getConnection((unreachable, connection: PoolConnection) => {
        if (unreachable) {
          reject(unreachable);
          return;
        }
        connection.query({ sql, timeout: WRITE_TIMEOUT_MS }, (error, result) => {
          if (error === null) {
            connection.release();
            resolve(result);
          } else {
            // Rolls back: a transaction ends with its connection.
            cut(connection);
            reject(error);
          }
        });
      });
    });
  }
}

const keyOf = (group: UsageGroup) => [group.day, firstAt(group), group.id];

function insertions(groups: readonly UsageGroup[]): string[] {
  const rows = groups.map((group) => [...keyOf(group), encodeRecords(group.records)]);
  return [
    format('INSERT INTO usage_journal (day, first_at, group_id, document) VALUES ?', [rows]),
    ...addTotals(totalsOf(groups)),
  ];
}

function addTotals(totals: readonly UsageTotal[]): string[] {
  if (totals.length === 0) return [];
  return [
    format(
      'INSERT INTO usage_totals (key_id, day, operation, requests, quota_units, credits) VALUES ? ' +
        'ON DUPLICATE KEY UPDATE requests = requests + VALUES(requests), ' +
        'quota_units = quota_units + VALUES(quota_units), credits = credits + VALUES(credits)',
      [[...totals]],
    ),
  ];
}
