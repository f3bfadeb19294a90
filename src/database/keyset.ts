import type { EntityMetadata } from 'typeorm';
import { UNKNOWN_SORT_VALUE, type Dialect } from './columns.js';
import { indexOf, selectFrom, type ColumnOf, type EntityClass, type Select, type SqlValue } from './statements.js';

export type Order = 'asc' | 'desc';

/** A list for keyset pagination, in the terms of its entity. */
export interface KeysetDescription<E, K extends ColumnOf<E>, C extends ColumnOf<E>> {
  readonly entity: EntityClass<E>;
  readonly filters: readonly ColumnOf<E>[];
  /** Sort keys, the last unique. An index must be exactly the filters, then these. */
  readonly keys: readonly [K, ...K[]];
  readonly columns: readonly C[];
}

/** One page of a list, ascending by default. @typeParam P the keys, which make the cursor */
export interface PageRequest<P> {
  readonly filters: readonly SqlValue[];
  readonly order?: Order;
  /** Cursor: the last row of the page before. */
  readonly after?: Readonly<P> | null;
  /** Inclusive bounds of the first key; unknown values are outside any bound. */
  readonly from?: number | null;
  readonly to?: number | null;
  /** One more row is read, to tell whether a next page exists. */
  readonly limit: number;
}

interface Shape {
  readonly order: Order;
  readonly isAfter: boolean;
  readonly isFrom: boolean;
  readonly isTo: boolean;
}

/** Keyset pagination: each page is one index range at any depth. The few statements are compiled once. */
export class KeysetList<R, K extends keyof R & string> {
  readonly keys: readonly [K, ...K[]];
  readonly #select: string;
  readonly #filters: readonly string[];
  readonly #statements = new Map<string, Select<R>>();

  /** @throws Error unless the entity declares an index of exactly filters and keys */
  constructor(
    metadata: EntityMetadata,
    private readonly dialect: Dialect,
    { filters, keys, columns }: Omit<KeysetDescription<R, K, keyof R & string>, 'entity'>,
  ) {
    this.keys = keys;
    this.#filters = filters;
    const index = indexOf(metadata, [...filters, ...keys], 'exactly');
    this.#select = selectFrom(metadata, dialect, index, [...columns, ...keys]);
  }

  page(request: PageRequest<Pick<R, K>>): { statement: Select<R>; values: SqlValue[] } {
    // One condition for each end of the range: of two, SQLite would use one and test the other row by row, up to the cursor.
    const { after, from, to } = this.#rangeOf(request);
    const shape = { order: request.order ?? 'asc', isAfter: after !== null, isFrom: from !== null, isTo: to !== null };
    const values = [...request.filters];
    if (from !== null) values.push(from);
    if (to !== null) values.push(to);
    if (after !== null) values.push(...this.#position(after));
    values.push(request.limit + 1);
    return { statement: this.#statement(shape), values };
  }

  #statement(shape: Shape): Select<R> {
    const name = `${shape.order} ${shape.isAfter} ${shape.isFrom} ${shape.isTo}`;
    let statement = this.#statements.get(name);
    if (statement === undefined) this.#statements.set(name, (statement = { sql: this.#sql(shape) }));
    return statement;
  }

  #sql({ order, isAfter, isFrom, isTo }: Shape): string {
    const conditions = this.#filters.map((column) => `${column} = ?`);
    if (isFrom) conditions.push(`${this.keys[0]} >= ?`);
    if (isTo) conditions.push(`${this.keys[0]} <= ?`);
    if (isAfter) conditions.push(this.#beyond(order === 'desc' ? '<' : '>'));
    const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
    const direction = order.toUpperCase();
    return `${this.#select}${where} ORDER BY ${this.keys.map((key) => `${key} ${direction}`).join(', ')} LIMIT ?`;
  }

  #beyond(sign: '<' | '>'): string {
    if (this.dialect === 'sqlite') return `(${this.keys.join(', ')}) ${sign} (${this.keys.map(() => '?').join(', ')})`;
    // MySQL and MariaDB do not use a row comparison as an index range; this they do.
    const [last, ...others] = this.keys.toReversed();
    return others.reduce((rest, key) => `(${key} ${sign} ? OR (${key} = ? AND ${rest}))`, `${last} ${sign} ?`);
  }

  #position(after: Readonly<Pick<R, K>>): SqlValue[] {
    const position = this.keys.map((key) => after[key] as SqlValue);
    if (this.dialect === 'sqlite') return position;
    return position.flatMap((value, at) => (at === position.length - 1 ? [value] : [value, value]));
  }

  /** The range: where the page starts, the tighter of cursor and bound. */
  #rangeOf({ after = null, from = null, to = null, order }: PageRequest<Pick<R, K>>) {
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
