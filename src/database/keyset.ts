import { UNKNOWN_SORT_VALUE, type Dialect } from './columns.js';
import type { SqlValue } from './database.js';

export type Order = 'asc' | 'desc';

/** The last item of a page: the next one starts behind it. */
export interface Position {
  /** The stored sort value, `UNKNOWN_SORT_VALUE` where the item has none. */
  readonly value: number;
  readonly id: string;
}

/** A page of a list, in the terms of its table. Names are constants of the code, values are bound. */
export interface KeysetPage {
  /** Select list, and the table (and joins) the page is read from, up to WHERE. */
  readonly select: string;
  readonly filters: readonly (readonly [column: string, value: SqlValue])[];
  readonly sortColumn: string;
  readonly idColumn: string;
  readonly order: Order;
  /** Where the page before ended; null for the first page. */
  readonly after: Position | null;
  /** Bounds of the sort value, both inclusive; items without one fall outside any bound. */
  readonly from: number | null;
  readonly to: number | null;
  readonly limit: number;
}

export interface Statement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/**
 * The statement of a page: a range of the index (filters, sort value, ID), whatever the depth.
 * It asks for one row more than the limit, which tells whether there is a next page.
 */
export function keysetStatement(page: KeysetPage, dialect: Dialect): Statement {
  const conditions = page.filters.map(([column]) => `${column} = ?`);
  const values = page.filters.map(([, value]) => value);
  const add = (condition: string, ...bound: SqlValue[]) => {
    conditions.push(condition);
    values.push(...bound);
  };

  // One bound on each side: SQLite takes only one into the range of the index, and would skip to the cursor row by row.
  const { after, from, to } = rangeOf(page);
  if (from !== null) add(`${page.sortColumn} >= ?`, from);
  if (to !== null) add(`${page.sortColumn} <= ?`, to);
  if (after !== null) {
    const { value, id } = after;
    const beyond = page.order === 'desc' ? '<' : '>';
    if (dialect === 'sqlite') {
      add(`(${page.sortColumn}, ${page.idColumn}) ${beyond} (?, ?)`, value, id);
    } else {
      // MySQL and MariaDB do not turn a comparison of rows into a range of the index; this they do.
      add(
        `(${page.sortColumn} ${beyond} ? OR (${page.sortColumn} = ? AND ${page.idColumn} ${beyond} ?))`,
        value,
        value,
        id,
      );
    }
  }
  const direction = page.order.toUpperCase();
  return {
    sql:
      `${page.select} WHERE ${conditions.join(' AND ')} ` +
      `ORDER BY ${page.sortColumn} ${direction}, ${page.idColumn} ${direction} LIMIT ${page.limit + 1}`,
    values,
  };
}

/** The range to read: on the side where the page starts, the cursor or the bound, whichever lies further inside. */
function rangeOf({ after, from, to, order }: KeysetPage): Pick<KeysetPage, 'after' | 'from' | 'to'> {
  // Any bound leaves out what is unknown, which sorts below everything.
  const lowest = from ?? (to === null ? null : UNKNOWN_SORT_VALUE + 1);
  if (after === null) return { after, from: lowest, to };
  if (order === 'desc') {
    return to !== null && after.value > to ? { after: null, from: lowest, to } : { after, from: lowest, to: null };
  }
  return lowest !== null && after.value < lowest ? { after: null, from: lowest, to } : { after, from: null, to };
}

/**
 * The clause that keeps the optimiser on the index made for a list; without, stale statistics could mislead it.
 * @param name `PRIMARY` is the primary key, which SQLite has no name for and needs no clause
 */
export function useIndex(name: string, dialect: Dialect): string {
  if (dialect === 'mysql') return `FORCE INDEX (${name})`;
  return name === 'PRIMARY' ? '' : `INDEXED BY ${name}`;
}
