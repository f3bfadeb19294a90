import type { EntityMetadata } from 'typeorm';
import type { Dialect } from './columns.js';

export type SqlValue = string | number | null;

export type EntityClass<E> = new () => E;

/** A row to be written: documents are written as text and read as bytes. */
export type Written<E> = { readonly [P in keyof E]?: Buffer extends E[P] ? string | Extract<E[P], null> : E[P] };

/** A row of an entity with all its columns, as it is written. */
export type Stored<E> = Required<Written<E>>;

/** A property of an entity; its column has the same name. */
export type ColumnOf<E> = keyof E & string;

declare const row: unique symbol;

/** A compiled SELECT of rows `R`. */
export interface Select<R> {
  readonly sql: string;
  readonly [row]?: R;
}

export interface Lookup<R> extends Select<R> {
  readonly values: (group: number | null, ids: readonly SqlValue[]) => readonly unknown[];
}

/** A look-up by ID, in the terms of its entity. */
export interface LookupDescription<E, I extends ColumnOf<E>, C extends ColumnOf<E>> {
  readonly entity: EntityClass<E>;
  /** Column that scopes the IDs, such as the platform; `null` where IDs are unique in the table. */
  readonly group: ColumnOf<E> | null;
  readonly id: I;
  readonly columns: readonly C[];
}

/** What an upsert does on a duplicate key. */
export interface Conflict<E> {
  /** The unique key, by default the primary key. */
  readonly key?: readonly ColumnOf<E>[];
  /** Columns to sum; all others are replaced. */
  readonly add?: readonly ColumnOf<E>[];
}

/** A multi-row statement: `head`, `row` once per row with the separator between, `tail`. */
export interface RowStatement {
  readonly head: string;
  readonly row: string;
  readonly separator: string;
  readonly tail: string;
  /** Max rows per statement. */
  readonly most: number;
}

/** Amortizes the round trip. */
const MOST_INSERTED = 1024;

/** MariaDB looks up this many by index; for more it scans the table. */
const MOST_DELETED = 128;

/** MySQL's name of the primary key; SQLite has none and needs no index hint for it. */
const PRIMARY = 'PRIMARY';

/** `SELECT … FROM table` with an index hint. @param index as `indexOf` finds it */
export function selectFrom(
  { tableName }: EntityMetadata,
  dialect: Dialect,
  index: string,
  columns: readonly string[],
): string {
  const sqliteIndex = index === PRIMARY ? '' : ` INDEXED BY ${index}`;
  const use = dialect === 'mysql' ? ` FORCE INDEX (${index})` : sqliteIndex;
  return `SELECT ${[...new Set(columns)].join(', ')} FROM ${tableName}${use}`;
}

/** The index on these columns, or with them as prefix. @throws Error if there is none */
export function indexOf(
  metadata: EntityMetadata,
  columns: readonly string[],
  how: 'exactly' | 'from the start',
): string {
  const wanted = columns.join();
  const primary = { name: PRIMARY, key: metadata.primaryColumns.map(({ propertyName }) => propertyName).join() };
  const others = metadata.indices.map((index) => ({
    name: index.name,
    key: index.columns.map(({ propertyName }) => propertyName).join(),
  }));
  const all = [primary, ...others];
  const found =
    all.find(({ key }) => key === wanted) ??
    (how === 'exactly' ? undefined : [...others, primary].find(({ key }) => `${key},`.startsWith(`${wanted},`)));
  if (found === undefined) throw new Error(`${metadata.tableName} has no index of (${wanted})`);
  return found.name;
}

/** Look-up by IDs; missing ones give no row. Index hint: without it MySQL spends a fifth of 100 IDs on planning. */
export function compileLookup<E, I extends ColumnOf<E>, C extends ColumnOf<E>>(
  metadata: EntityMetadata,
  dialect: Dialect,
  { group, id, columns }: Omit<LookupDescription<E, I, C>, 'entity'>,
): Lookup<Pick<E, I | C>> {
  const index = indexOf(metadata, group === null ? [id] : [group, id], 'from the start');
  const inGroup = group === null ? '' : `${group} = ? AND `;
  if (dialect === 'mysql') {
    return {
      sql: `${selectFrom(metadata, dialect, index, [id, ...columns])} WHERE ${inGroup}${id} IN (?)`,
      values: (groupValue, ids) => (group === null ? [ids] : [groupValue, ids]),
    };
  }
  return {
    // IDs as one value: one prepared statement for any count. CROSS JOIN fixes the join order.
    sql:
      'WITH wanted (wanted_id) AS (SELECT value FROM json_each(?)) ' +
      `SELECT ${[...new Set<string>([id, ...columns])].join(', ')} FROM wanted ` +
      `CROSS JOIN ${metadata.tableName} ON ${inGroup}${id} = wanted_id`,
    values: (groupValue, ids) => (group === null ? [JSON.stringify(ids)] : [JSON.stringify(ids), groupValue]),
  };
}

/** Multi-row insert. `conflict` null: a duplicate key is an error. */
export function compileInsert<E>(
  metadata: EntityMetadata,
  dialect: Dialect,
  columns: readonly ColumnOf<E>[],
  conflict: Conflict<E> | null,
): RowStatement {
  const insert = {
    head: `INSERT INTO ${metadata.tableName} (${columns.join(', ')}) VALUES `,
    row: `(${columns.map(() => '?').join(', ')})`,
    separator: ', ',
    most: MOST_INSERTED,
  };
  if (conflict === null) return { ...insert, tail: '' };
  const key: readonly string[] = conflict.key ?? metadata.primaryColumns.map(({ propertyName }) => propertyName);
  const given = (column: string) => (dialect === 'mysql' ? `VALUES(${column})` : `excluded.${column}`);
  const updates = columns
    .filter((column) => !key.includes(column))
    .map((column) => `${column} = ${conflict.add?.includes(column) ? `${column} + ` : ''}${given(column)}`);
  if (dialect === 'mysql') {
    // A no-op update: INSERT IGNORE would also hide values that do not fit.
    return { ...insert, tail: ` ON DUPLICATE KEY UPDATE ${updates.join(', ') || `${key[0]} = ${key[0]}`}` };
  }
  const update = updates.length === 0 ? 'NOTHING' : `UPDATE SET ${updates.join(', ')}`;
  return { ...insert, tail: ` ON CONFLICT (${key.join(', ')}) DO ${update}` };
}

/** Locking read of one row. SQLite's transactions keep other writers out anyway. */
export const compileLock = (
  { tableName }: EntityMetadata,
  dialect: Dialect,
  key: readonly string[],
  columns: readonly string[],
): string =>
  `SELECT ${columns.join(', ')} FROM ${tableName} WHERE ${key.map((column) => `${column} = ?`).join(' AND ')}` +
  (dialect === 'mysql' ? ' FOR UPDATE' : '');

export const compileDelete = ({ tableName }: EntityMetadata, columns: readonly string[]): RowStatement => ({
  head: `DELETE FROM ${tableName} WHERE `,
  // Not (a, b) IN ((…)): MariaDB would scan the table.
  row: `(${columns.map((column) => `${column} = ?`).join(' AND ')})`,
  separator: ' OR ',
  tail: '',
  most: MOST_DELETED,
});

/** The columns that written rows have, in table order. */
export const columnsOf = <E>({ columns }: EntityMetadata, example: Written<E>): ColumnOf<E>[] =>
  columns.map(({ propertyName }) => propertyName as ColumnOf<E>).filter((column) => column in example);

export const valuesOf = (rows: readonly object[], columns: readonly string[]): SqlValue[][] =>
  rows.map((row) => columns.map((column) => (row as Readonly<Record<string, SqlValue>>)[column] ?? null));
