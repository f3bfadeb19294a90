// @ts-check
// Plain JavaScript, because the worker thread loads it without compiling it.

/**
 * Statement to run for each row of values. `select` returns all rows and `run` the number of changes, both inside a
 * transaction. `read` returns the values of the only row, outside a transaction.
 * @typedef {{ kind: 'select' | 'run' | 'read', sql: string, rows: (string | number | null)[][] }} Statement
 */

/**
 * Wait for the write lock in milliseconds, and the polling interval; null uses SQLite's busy handler.
 * @typedef {{ busyTimeoutMs: number, lockPollMs: number | null }} LockWait
 */

const sleepBuffer = new Int32Array(new SharedArrayBuffer(4));

/** Runs statements on a connection, and keeps them prepared. */
export class StatementRunner {
  /** @type {Map<string, import('@photostructure/sqlite').StatementSyncInstance>} */
  #prepared = new Map();

  /**
   * First error of the current transaction. All later statements fail with it, COMMIT included, so that callers can pipeline
   * statements.
   * @type {unknown}
   */
  #failure = null;

  #database;
  #wait;

  /**
   * @param {Pick<import('@photostructure/sqlite').DatabaseSyncInstance, 'prepare' | 'isTransaction'>} database
   * @param {LockWait} wait
   */
  constructor(database, wait) {
    this.#database = database;
    this.#wait = wait;
  }

  /** @param {Statement} statement */
  execute({ kind, sql, rows }) {
    if (kind === 'read') return Object.values(this.#prepare(sql).get(...(rows[0] ?? [])));
    if (sql === 'BEGIN IMMEDIATE' || sql === 'ROLLBACK') this.#failure = null;
    if (this.#failure !== null) throw this.#failure;
    try {
      if (sql === 'BEGIN IMMEDIATE') return this.#begin();
      if (!this.#database.isTransaction) {
        // The failed statement may already have rolled the transaction back.
        if (sql === 'ROLLBACK') return 0;
        // A thread that replaces a dead one must not run the rest of its transaction on its own.
        throw new Error('the transaction was lost with its thread');
      }
      return kind === 'select' ? this.select(sql, rows) : this.#run(sql, rows);
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  /**
   * Returns all rows, inside or outside a transaction.
   * @param {string} sql
   * @param {readonly (readonly unknown[])[]} rows
   * @returns {Record<string, unknown>[]}
   */
  select(sql, rows) {
    const statement = this.#prepare(sql);
    const results = rows.flatMap((row) => statement.all(...row));
    for (const row of results) for (const name in row) if (typeof row[name] === 'bigint') row[name] = Number(row[name]);
    return results;
  }

  /** Begins a transaction as soon as no other process is writing. */
  #begin() {
    const { busyTimeoutMs, lockPollMs } = this.#wait;
    for (const startedAt = Date.now(); ; Atomics.wait(sleepBuffer, 0, 0, lockPollMs ?? 0)) {
      try {
        return this.#run('BEGIN IMMEDIATE', [[]]);
      } catch (error) {
        const { sqliteCodeName } = /** @type {{ sqliteCodeName?: string }} */ (error);
        if (lockPollMs === null || sqliteCodeName !== 'SQLITE_BUSY' || Date.now() - startedAt > busyTimeoutMs)
          throw error;
      }
    }
  }

  /**
   * @param {string} sql
   * @param {Statement['rows']} rows
   */
  #run(sql, rows) {
    const statement = this.#prepare(sql);
    let changes = 0;
    for (const row of rows) changes += statement.run(...row).changes;
    return changes;
  }

  /** @param {string} sql */
  #prepare(sql) {
    let statement = this.#prepared.get(sql);
    if (statement !== undefined) return statement;
    statement = this.#database.prepare(sql);
    // The driver throws when it reads -(2^53), which stands for "unknown" in such columns, as a number.
    if (statement.columns().some(({ type }) => type?.toLowerCase() === 'bigint')) statement.setReadBigInts(true);
    this.#prepared.set(sql, statement);
    return statement;
  }
}
