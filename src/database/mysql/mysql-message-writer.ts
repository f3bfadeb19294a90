import type { ResultSetHeader } from 'mysql2';
import { StoreUnavailableError } from '../database.js';
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
    return reportedByCommit(this.#ask<R[]>(sql, values));
  }

  async commit(): Promise<void> {
    await this.#ask('COMMIT', []);
  }

  protected run({ head, row, separator, tail, most }: RowStatement, rows: readonly SqlValue[][]): Promise<number> {
    const answers: Promise<ResultSetHeader>[] = [];
    for (let start = 0; start < rows.length; start += most) {
      const some = rows.slice(start, start + most);
      answers.push(this.#ask(`${head}${Array(some.length).fill(row).join(separator)}${tail}`, some.flat()));
    }
    const changed = Promise.all(answers).then((headers) => headers.reduce((sum, each) => sum + each.affectedRows, 0));
    return reportedByCommit(changed);
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
    this.isInDoubt = statements.at(-1) === 'COMMIT';
    let begun = 0;
    try {
      const result = await query(this.connection, statements.join('; '), [], this.timeoutMs, () => (begun += 1));
      const answers = statements.length === 1 ? [result] : result;
      // A proxy that takes one statement a message would answer that one alone.
      if (!Array.isArray(answers) || answers.length < statements.length)
        throw new StoreUnavailableError(new Error('the server did not answer every statement of a message'));
      return answers;
    } catch (error) {
      // Of a message that failed before its last statement, COMMIT was not reached.
      const isReached = begun >= statements.length - 1;
      if (error instanceof ConflictError || (isServersAnswer(error) && !isReached)) this.isInDoubt = false;
      throw error;
    }
  }
}
