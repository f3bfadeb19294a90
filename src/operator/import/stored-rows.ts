import type { ColumnOf, EntityClass, SqlValue } from '../../database/statements.js';

/** Values of a row in the order of its store's columns: a hundred thousand wait at a time, and names would be kept with each. */
export type Row = readonly SqlValue[];

/** A record in the form it is stored in. */
export interface Prepared {
  /** Its columns, the document last. */
  readonly row: Row;
  /** Rows of a second table that belong to it: a content item's games, the targets of social links. */
  readonly related: readonly Row[];
}

/** Rows of an entity under the names of their columns. */
export function named<E, C extends ColumnOf<E>>(
  _entity: EntityClass<E>,
  columns: readonly C[],
  rows: readonly Row[],
): Pick<E, C>[] {
  return rows.map((row) => {
    const values: Partial<Record<C, SqlValue>> = {};
    columns.forEach((column, at) => (values[column] = row[at] ?? null));
    return values as Pick<E, C>;
  });
}
