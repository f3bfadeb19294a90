import type { DataSource } from 'typeorm';
import type { Dialect } from './columns.js';

/** A value bound to a placeholder or read from a column. IDs are text, documents are read as bytes. */
export type SqlValue = string | number | Buffer | null;

/** A row of a read: its columns in the order of the select list. */
export type Row = readonly SqlValue[];

/** One look-up of rows by ID: `SELECT columns FROM table WHERE group = ? AND id = ?`. All names are constants. */
export interface Lookup {
  readonly table: string;
  /** Column that divides the IDs, such as the platform; `null` where IDs are unique in the table. */
  readonly group: string | null;
  readonly id: string;
  /**
   * The index of group and ID as the entity names it, or `PRIMARY`. MySQL is told, because weighing the others against it
   * takes a fifth of the time of a look-up of a hundred.
   */
  readonly index: string;
  readonly columns: readonly string[];
}

/** What became of many IDs. */
export interface FoundDocuments {
  /** In the order of the IDs. */
  readonly documents: readonly Buffer[];
  /** The IDs that have no document, in their order. */
  readonly missing: readonly string[];
}

/**
 * The store as the service reads it. The statements are the caller's; what differs between the databases
 * (bytes of a document, many keys at once, replicas) is decided here.
 */
export interface Database {
  readonly dialect: Dialect;
  /** The primary's TypeORM data source: migrations, entities, and everything that is not on a hot path. */
  readonly dataSource: DataSource;
  /**
   * Where usage is recorded and told from: this database on a server, a file of its own beside the embedded one. SQLite
   * forgets the pages it keeps with every commit of somebody else to their file, and usage is committed all the time.
   */
  readonly usage: Database;
  /** Rows that may be a moment old: from a read replica where there is one. */
  read(sql: string, values: readonly SqlValue[]): Promise<Row[]>;
  /** Rows as of now, from the primary: keys and usage. */
  readFresh(sql: string, values: readonly SqlValue[]): Promise<Row[]>;
  /**
   * Rows of many IDs in one go; each row starts with its ID, before the look-up's columns. Missing IDs have no row.
   */
  findMany(lookup: Lookup, group: number | null, ids: readonly (string | number)[], fresh: boolean): Promise<Row[]>;
  /** Resolves while the primary answers, rejects otherwise. */
  ping(): Promise<void>;
  /** Runs `work` in one transaction of a writer; writers queue, and an error rolls everything back. */
  write<T>(work: (writer: Writer) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Statements inside a transaction, run in their order. Of those that return nothing, an error may come with a later one. */
export interface Writer {
  all(sql: string, values: readonly SqlValue[]): Promise<Row[]>;
  /** As `Database.findMany`, inside the transaction. */
  findMany(lookup: Lookup, group: number | null, ids: readonly (string | number)[]): Promise<Row[]>;
  /** @returns the number of rows changed */
  run(sql: string, values: readonly SqlValue[]): Promise<number>;
  /**
   * Inserts rows, replacing those whose key exists.
   * @param key the columns of the primary or unique key
   */
  upsert(table: string, columns: readonly string[], key: readonly string[], rows: readonly Row[]): Promise<void>;
  /** Deletes the rows whose columns equal those of one of `keys`. */
  remove(table: string, columns: readonly string[], keys: readonly Row[]): Promise<void>;
  /** Takes the lock that all writers of creator data share until the end of the transaction. */
  lockData(): Promise<void>;
}

/** The store could not be reached, or is too busy to answer: a 503, never the caller's fault. */
export class StoreUnavailableError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : 'store unavailable', { cause });
  }
}
