import type { EntityMetadata } from 'typeorm';
import { UNKNOWN_SORT_VALUE, type Dialect } from './columns.js';
import {
  findIndexName,
  selectFrom,
  type ColumnOf,
  type EntityClass,
  type Select,
  type SqlValue,
} from './statements.js';

export type Order = 'asc' | 'desc';

/** Description of a list with keyset pagination. */
export interface KeysetDescription<E, K extends ColumnOf<E>, C extends ColumnOf<E>> {
  readonly entity: EntityClass<E>;
  readonly filters: readonly ColumnOf<E>[];
  /** Sort keys, the last one unique. The entity must have an index of exactly the filters followed by the keys. */
  readonly keys: readonly [K, ...K[]];
  readonly columns: readonly C[];
}

/** Request for one page of a list, ascending by default. @typeParam P the sort keys, which form the cursor */
export interface PageRequest<P> {
  readonly filters: readonly SqlValue[];
  readonly order?: Order;
  /** Cursor: the sort keys of the last row of the previous page. */
  readonly after?: Readonly<P> | null;
  /** Inclusive bounds of the first key. Any bound excludes unknown values. */
  readonly from?: number | null;
  readonly to?: number | null;
  /** Page size; one more row is read to detect a next page. */
  readonly limit: number;
}

/** Properties of a request on which the SQL text depends. */
interface PageShape {
  readonly order: Order;
  readonly hasCursor: boolean;
  readonly hasFrom: boolean;
  readonly hasTo: boolean;
}

/** List with keyset pagination: each page reads one index range, whatever its depth. Statements are compiled once per shape. */
export class KeysetList<R, K extends keyof R & string> {
  readonly keys: readonly [K, ...K[]];
  readonly #select: string;
  readonly #filters: readonly string[];
  readonly #statements = new Map<string, Select<R>>();

  /** @throws Error if the entity has no index of exactly the filters and keys */
  constructor(
    metadata: EntityMetadata,
    private readonly dialect: Dialect,
    { filters, keys, columns }: Omit<KeysetDescription<R, K, keyof R & string>, 'entity'>,
  ) {
    this.keys = keys;
    this.#filters = filters;
    const index = findIndexName(metadata, [...filters, ...keys], 'exactly');
    this.#select = selectFrom(metadata, dialect, index, [...columns, ...keys]);
  }

  page(request: PageRequest<Pick<R, K>>): { statement: Select<R>; values: SqlValue[] } {
    // Use one condition per end of the range. Given two, SQLite uses one for the index range and checks the other on each row up
    // to the cursor.
    const { after, from, to } = this.#range(request);
    const shape = {
      order: request.order ?? 'asc',
      hasCursor: after !== null,
      hasFrom: from !== null,
      hasTo: to !== null,
    };
    const values = [...request.filters];
    if (from !== null) values.push(from);
    if (to !== null) values.push(to);
    if (after !== null) values.push(...this.#cursorValues(after));
    values.push(request.limit + 1);
    return { statement: this.#statement(shape), values };
  }

  #statement(shape: PageShape): Select<R> {
    const name = `${shape.order} ${shape.hasCursor} ${shape.hasFrom} ${shape.hasTo}`;
    let statement = this.#statements.get(name);
    if (statement === undefined) this.#statements.set(name, (statement = { sql: this.#sql(shape) }));
    return statement;
  }

  #sql({ order, hasCursor, hasFrom, hasTo }: PageShape): string {
    const conditions = this.#filters.map((column) => `${column} = ?`);
    if (hasFrom) conditions.push(`${this.keys[0]} >= ?`);
    if (hasTo) conditions.push(`${this.keys[0]} <= ?`);
    if (hasCursor) conditions.push(this.#afterCursor(order === 'desc' ? '<' : '>'));
    const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
    const direction = order.toUpperCase();
    return `${this.#select}${where} ORDER BY ${this.keys.map((key) => `${key} ${direction}`).join(', ')} LIMIT ?`;
  }

  #afterCursor(sign: '<' | '>'): string {
    if (this.dialect === 'sqlite') return `(${this.keys.join(', ')}) ${sign} (${this.keys.map(() => '?').join(', ')})`;
    // MySQL and MariaDB use an index range for nested ORs, but not for row comparisons.
    const [last, ...others] = this.keys.toReversed();
    return others.reduce((rest, key) => `(${key} ${sign} ? OR (${key} = ? AND ${rest}))`, `${last} ${sign} ?`);
  }

  #cursorValues(after: Readonly<Pick<R, K>>): SqlValue[] {
    const values = this.keys.map((key) => after[key] as SqlValue);
    if (this.dialect === 'sqlite') return values;
    return values.flatMap((value, index) => (index === values.length - 1 ? [value] : [value, value]));
  }

  /** Returns the range of a page, which starts at the tighter of cursor and bound. */
  #range({ after = null, from = null, to = null, order }: PageRequest<Pick<R, K>>) {
    // Any bound excludes unknown values, which sort lowest.
    const lowest = from ?? (to === null ? null : UNKNOWN_SORT_VALUE + 1);
    if (after === null) return { after, from: lowest, to };
    const value = Number(after[this.keys[0]]);
    if (order === 'desc') {
      return to !== null && value > to ? { after: null, from: lowest, to } : { after, from: lowest, to: null };
    }
    return lowest !== null && value < lowest ? { after: null, from: lowest, to } : { after, from: null, to };
  }
}
