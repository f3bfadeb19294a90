import type { ResultSetHeader } from 'mysql2';
import type { RowStatement, Select, SqlValue } from '../statements.js';
import { ConflictError, isServersAnswer, query } from './mysql-connection.js';
import { MysqlTransaction, reportedByCommit } from './mysql-transaction.js';

/** A small transaction whose statements are sent in as few messages as possible: those that nobody awaits go with the next
 * that is awaited, in the end with COMMIT. Four round trips for a group of usage records took a fifth of the look-ups.
 * Its connection takes several statements at a time; the server runs none after a failed one. */
export class MysqlMessageWriter extends MysqlTransaction {
  #statements = ['START TRANSACTION'];
  #message: Promise<readonly unknown[]> | null = null;
  #last: Promise<unknown> = Promise.resolve();

  all<R>({ sql }: Select<R>, values: readonly unknown[]): Promise<R[]> {
    return this.#ask<R[]>(sql, values);
  }

  async commit(): Promise<void> {
    await this.#ask('COMMIT', []);
  }

  protected run({ head, row, separator, tail }: RowStatement, rows: readonly SqlValue[][]): Promise<number> {
    const sql = `${head}${Array(rows.length).fill(row).join(separator)}${tail}`;
    return reportedByCommit(this.#ask<ResultSetHeader>(sql, rows.flat()).then(({ affectedRows }) => affectedRows));
  }

  async #ask<T>(sql: string, values: readonly unknown[]): Promise<T> {
    const at = this.#statements.push(this.connection.format(sql, [...values])) - 1;
    // Behind all that goes on without waiting for the server.
    this.#message ??= new Promise<void>((resolve) => process.nextTick(resolve)).then(() => this.#send());
    return (await this.#message)[at] as T;
  }

  #send(): Promise<readonly unknown[]> {
    const statements = this.#statements;
    this.#statements = [];
    this.#message = null;
    const answers = this.#last.then(() => this.#exchange(statements));
    this.#last = answers;
    return answers;
  }

  async #exchange(statements: readonly string[]): Promise<readonly unknown[]> {
    const isCommit = statements.at(-1) === 'COMMIT';
    this.isInDoubt = isCommit;
    let succeeded = 0;
    const sql = statements.join('; ');
    try {
      const answers = await query<unknown>(this.connection, sql, [], this.timeoutMs, () => (succeeded += 1));
      return statements.length === 1 ? [answers] : (answers as unknown[]);
    } catch (error) {
      const isEarlier = succeeded < statements.length - 1;
      if (error instanceof ConflictError || (isServersAnswer(error) && isEarlier)) this.isInDoubt = false;
      throw error;
    }
  }
}
