import { existsSync } from 'node:fs';
import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite';

/** What TypeORM's driver `better-sqlite3` gives a connection. */
interface Options {
  readonly readonly?: boolean;
  readonly fileMustExist?: boolean;
  /** How long to wait for another process's transaction, ms. */
  readonly timeout?: number;
}

export interface EmbeddedStatement extends StatementSyncInstance {
  /** Whether it answers with rows. */
  readonly reader: boolean;
}

/** Whether a statement reads 64-bit columns. The driver refuses -(2^53), which is "unknown" there, as a number. */
export const readsBigints = (statement: StatementSyncInstance): boolean =>
  statement.columns().some(({ type }) => type?.toLowerCase() === 'bigint');

/** Turns every bigint of rows into a number: those that are stored are exact as one. */
export function bigintsAsNumbers<R>(rows: R[]): R[] {
  for (const row of rows as Record<string, unknown>[]) {
    for (const name in row) if (typeof row[name] === 'bigint') row[name] = Number(row[name]);
  }
  return rows;
}

/**
 * A connection to an SQLite file. It has the part of better-sqlite3's interface that TypeORM uses, over a package whose binary
 * comes inside it: nothing is compiled, and one installation runs on every supported Node.
 */
export class EmbeddedConnection {
  readonly #database;

  /** @throws Error with SQLite's message if the file cannot be opened */
  constructor(
    readonly name: string,
    { readonly: readOnly = false, fileMustExist = false, timeout = 0 }: Options = {},
  ) {
    if (fileMustExist && !existsSync(name)) throw new Error(`${name} does not exist`);
    this.#database = new DatabaseSync(name, { readOnly, timeout });
  }

  prepare(sql: string): EmbeddedStatement {
    const statement = this.#database.prepare(sql);
    return Object.assign(statement, { reader: statement.columns().length > 0 });
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  pragma(text: string): unknown[] {
    return this.#database.prepare(`PRAGMA ${text}`).all();
  }

  /** A second time does nothing. */
  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }
}
