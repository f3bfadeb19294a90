import { existsSync } from 'node:fs';
import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite';

/** Options that TypeORM's driver `better-sqlite3` passes to a connection. */
interface ConnectionOptions {
  readonly readonly?: boolean;
  readonly fileMustExist?: boolean;
  /** Maximum wait for another process's transaction, in milliseconds. */
  readonly timeout?: number;
}

/** Prepared statement with the member of better-sqlite3 that TypeORM reads. */
export interface EmbeddedStatement extends StatementSyncInstance {
  /** Whether the statement returns rows. */
  readonly reader: boolean;
}

/** Reports whether a statement reads 64-bit columns. The driver throws on `UNKNOWN_SORT_VALUE` unless it reads bigints. */
export const readsBigints = (statement: StatementSyncInstance): boolean =>
  statement.columns().some(({ type }) => type?.toLowerCase() === 'bigint');

/** Converts every bigint of rows to a number, in place. Every stored integer is exact as a number. */
export function bigintsAsNumbers<R>(rows: R[]): R[] {
  for (const row of rows as Record<string, unknown>[]) {
    for (const name in row) if (typeof row[name] === 'bigint') row[name] = Number(row[name]);
  }
  return rows;
}

/**
 * Connection to a SQLite file, with the part of better-sqlite3's interface that TypeORM uses. The package underneath ships its
 * binary: nothing is compiled, and one installation runs on every supported version of Node.
 */
export class EmbeddedConnection {
  readonly #database;

  /** Opens the file. @throws Error with SQLite's message if that fails */
  constructor(
    readonly name: string,
    { readonly: readOnly = false, fileMustExist = false, timeout = 0 }: ConnectionOptions = {},
  ) {
    if (fileMustExist && !existsSync(name)) throw new Error(`${name} does not exist`);
    this.#database = new DatabaseSync(name, { readOnly, timeout });
  }

  prepare(sql: string): EmbeddedStatement {
    const statement = this.#database.prepare(sql);
    return Object.assign(statement, { reader: statement.columns().length > 0 });
  }

  get isTransaction(): boolean {
    return this.#database.isTransaction;
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  pragma(text: string): unknown[] {
    return this.#database.prepare(`PRAGMA ${text}`).all();
  }

  /** Closes the connection; a second call does nothing. */
  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }
}
