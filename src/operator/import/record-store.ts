import type { Reader, Writer } from '../../database/database.js';
import type { Stored } from '../../database/statements.js';
import type { HistoryEntity } from '../../features/history/history.entity.js';
import type { ObservationKey } from './observations.js';
import type { PreparedRecord } from './prepared-record.js';
import type { Revisions } from './revisions.js';

/** A creator, identified by platform code and ID. */
export interface Creator {
  readonly platform: number;
  readonly profileId: string;
}

/** Storage of one kind of record. @typeParam T the record, R its row, S a row of its second table */
// Declared as methods, which are bivariant: a store with narrower R and S is assignable to `RecordStore<T>`. That is safe,
// because the importer passes only results of `prepare`.
export interface RecordStore<T, R extends object = { readonly document: string }, S extends object = object> {
  /** Converts a record to its stored form. @param document the text of a record that is already stored, which is kept */
  prepare(record: T, document?: string): PreparedRecord<R, S>;
  /** Returns the identity of a row. Rows with the same identity are versions of one record; the last one wins. */
  identityOf(row: R): string;
  /** Returns a text that sorts rows in the order of the table. Missing if their identity does. */
  sortKeyOf?(row: R): string;
  /** Returns the creators that a record is about. It is rejected if any of them was forgotten. */
  creatorsOf(prepared: PreparedRecord<R, S>): Creator[];
  /** Returns the key of a record's observations. Missing for kinds without observations. */
  observationOf?(row: R): ObservationKey;
  /** Returns the observation that a row holds, which the history keeps when another version replaces the record. Missing for kinds
   * that hold none. */
  heldObservationOf?(row: R): Stored<HistoryEntity> | null;
  /** Returns for each row why it does not go with what is stored; null for a row that does. Missing if every row does. */
  findProblems?(reader: Reader, rows: readonly R[]): Promise<(string | null)[]>;
  /** Stores records with distinct identities. Each replaces the stored version, unless that is the same.
   * @param revisions of the same transaction as `writer` */
  write(writer: Writer, records: readonly PreparedRecord<R, S>[], revisions: Revisions): Promise<unknown>;
}

/** The `related` of all records without a second table. */
export const NO_RELATED_ROWS: readonly never[] = [];

/** Joins the parts of a key to a text that sorts like the key. Uses `join`, because V8 retains the parts of a concatenation. */
export const joinKey = (...parts: readonly (string | number)[]): string => parts.join(' ');

export const rowsOf = <R extends object>(records: readonly PreparedRecord<R>[]): R[] => records.map(({ row }) => row);
