import type { ResultSetHeader } from 'mysql2';
import { StoreUnavailableError } from '../database.js';
import type { RowStatement, Select, SqlValue } from '../statements.js';
import { ConflictError, isServerError, query } from './mysql-connection.js';
import { MysqlTransaction, reportedByCommit } from './mysql-transaction.js';

/** Small transaction that sends its statements in as few messages as possible. Statements wait
 * until one is awaited, at the latest until COMMIT. The connection must allow several statements per message; the server runs
 * none after a failed one. */
export class MysqlMessageWriter extends MysqlTransaction {
  #statements = ['START TRANSACTION'];
  #nextMessage: Promise<readonly unknown[]> | null = null;
  #lastResults: Promise<unknown> = Promise.resolve();

  all<R>({ sql }: Select<R>, values: readonly unknown[]): Promise<R[]> {
    return reportedByCommit(this.#enqueue<R[]>(sql, values));
  }

  async commit(): Promise<void> {
    await this.#enqueue('COMMIT', []);
  }

  protected run({ head, row, separator, tail, maxRows }: RowStatement, rows: readonly SqlValue[][]): Promise<number> {
    const results: Promise<ResultSetHeader>[] = [];
    for (let start = 0; start < rows.length; start += maxRows) {
      const chunk = rows.slice(start, start + maxRows);
      results.push(this.#enqueue(`${head}${Array(chunk.length).fill(row).join(separator)}${tail}`, chunk.flat()));
    }
    const changed = Promise.all(results).then((headers) =>
      headers.reduce((sum, header) => sum + header.affectedRows, 0),
    );
    return reportedByCommit(changed);
  }

  async #enqueue<T>(sql: string, values: readonly unknown[]): Promise<T> {
    const index = this.#statements.push(this.connection.format(sql, [...values])) - 1;
    // On the next tick, so that statements enqueued without awaiting this one share the message.
    this.#nextMessage ??= new Promise<void>((resolve) => process.nextTick(resolve)).then(() => this.#flush());
    return (await this.#nextMessage)[index] as T;
  }

  #flush(): Promise<readonly unknown[]> {
    const statements = this.#statements;
    this.#statements = [];
    this.#nextMessage = null;
    const results = this.#lastResults.then(() => this.#sendMessage(statements));
    this.#lastResults = results;
    return results;
  }

  async #sendMessage(statements: readonly string[]): Promise<readonly unknown[]> {
    this.isInDoubt = statements.at(-1) === 'COMMIT';
    let succeeded = 0;
    try {
      const result = await query(this.connection, statements.join('; '), [], this.timeoutMs, () => (succeeded += 1));
      const results = statements.length === 1 ? [result] : result;
      // A proxy that only supports one statement per message answers the first one and drops the rest.
      if (!Array.isArray(results) || results.length < statements.length)
        throw new StoreUnavailableError(
          new Error('the server answered only some statements of a message; a proxy must allow multiple statements'),
        );
      return results;
    } catch (error) {
      // A message that failed before its last statement did not reach COMMIT.
      const reachedLast = succeeded >= statements.length - 1;
      if (error instanceof ConflictError || (isServerError(error) && !reachedLast)) this.isInDoubt = false;
      throw error;
    }
  }
}
