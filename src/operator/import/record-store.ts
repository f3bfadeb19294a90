import type { Writer } from '../../database/database.js';
import type { ObservationKey } from './observations.js';

/** A creator, as a stored platform code and an ID. */
export interface Creator {
  readonly platform: number;
  readonly profileId: string;
}

/** A record in the form it is stored in. */
export interface Prepared<R extends object = { readonly document: string }, S extends object = object> {
  readonly row: R;
  /** Rows of a second table that belong to it: a content item's games, the targets of social links. */
  readonly related: readonly S[];
}

/** How one kind of record is stored. @typeParam T the record, R its row, S a row of its second table */
// All methods, so that a narrower R and S fit `RecordStore<T>`: the importer gives back only what `prepare` made.
export interface RecordStore<T, R extends object = { readonly document: string }, S extends object = object> {
  /** @param document the record's text, where it is stored already: that stays as it is */
  prepare(record: T, document?: string): Prepared<R, S>;
  /** Rows with the same identity are about the same record; the last one wins. */
  identityOf(row: R): string;
  /** Rows whose places sort next to each other lie next to each other in the table. */
  placeOf(row: R): string;
  /** Whom a record is about: it is suppressed if one of them was forgotten. */
  creatorsOf(prepared: Prepared<R, S>): Creator[];
  /** Under which key a record's observations are, for kinds that are observed. */
  observationOf?(row: R): ObservationKey;
  /** Stores records, none of which occurs twice; each replaces the one that was there. */
  write(writer: Writer, records: readonly Prepared<R, S>[]): Promise<unknown>;
}

/** Shared by all records without related rows. */
export const NONE: readonly never[] = [];

/** Parts of a key as text that sorts like it. `join`, because V8 keeps the parts of a concatenation in memory. */
export const textOf = (...parts: readonly (string | number)[]): string => parts.join(' ');

export const rowsOf = <R extends object>(records: readonly Prepared<R>[]): R[] => records.map(({ row }) => row);
