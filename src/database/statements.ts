import type { EntityMetadata } from 'typeorm';
import type { Dialect } from './columns.js';

/** Value of a parameter. */
export type SqlValue = string | number | null;

/** Constructor of an entity. */
export type EntityClass<E> = new () => E;

/** Row to write. Documents are written as text and read as bytes. */
export type Written<E> = { readonly [P in keyof E]?: Buffer extends E[P] ? string | Extract<E[P], null> : E[P] };

/** Row to write, with all columns of its entity. */
export type Stored<E> = Required<Written<E>>;

/** Name of a property of an entity and of its column, which are the same. */
export type ColumnOf<E> = keyof E & string;

declare const row: unique symbol;

/** Compiled SELECT. @typeParam R its rows */
export interface Select<R> {
  readonly sql: string;
  readonly [row]?: R;
}

/** Compiled look-up by IDs; `values` returns its parameters. */
export interface Lookup<R> extends Select<R> {
  readonly values: (group: number | null, ids: readonly SqlValue[]) => readonly unknown[];
}

/** Description of a look-up by ID. */
export interface LookupDescription<E, I extends ColumnOf<E>, C extends ColumnOf<E>> {
  readonly entity: EntityClass<E>;
  /** Column that scopes the IDs, such as the platform; null if IDs are unique in the table. */
  readonly group: ColumnOf<E> | null;
  readonly id: I;
  readonly columns: readonly C[];
}

/** Behaviour of an upsert on a duplicate key. */
export interface Conflict<E> {
  /** Unique key; the primary key by default. */
  readonly key?: readonly ColumnOf<E>[];
  /** Columns to add to the stored value; all others are replaced. */
  readonly add?: readonly ColumnOf<E>[];
}

/** Parts of a multi-row statement: `head`, then `row` once per row, joined by `separator`, then `tail`. */
export interface RowStatement {
  readonly head: string;
  readonly row: string;
  readonly separator: string;
  readonly tail: string;
  /** Maximum rows per statement. */
  readonly maxRows: number;
}

/** Maximum rows per INSERT, enough to amortize the round trip. */
const MAX_INSERT_ROWS = 1024;

/** Maximum rows per DELETE. MariaDB finds this many by index; for more it scans the table. */
const MAX_DELETE_ROWS = 128;

/** Name of the primary key in MySQL. SQLite has no name for it and needs no index hint. */
const PRIMARY = 'PRIMARY';

/** Compiles `SELECT … FROM table` with an index hint. @param index a name that `findIndexName` returned */
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

/** Returns the name of the index on these columns, or of one that starts with them. @throws Error if there is none */
export function findIndexName(
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

/** Compiles a look-up by IDs; an unknown ID yields no row. The index hint saves MySQL comparing plans for long ID lists. */
export function compileLookup<E, I extends ColumnOf<E>, C extends ColumnOf<E>>(
  metadata: EntityMetadata,
  dialect: Dialect,
  { group, id, columns }: Omit<LookupDescription<E, I, C>, 'entity'>,
): Lookup<Pick<E, I | C>> {
  const index = findIndexName(metadata, group === null ? [id] : [group, id], 'from the start');
  const inGroup = group === null ? '' : `${group} = ? AND `;
  if (dialect === 'mysql') {
    return {
      sql: `${selectFrom(metadata, dialect, index, [id, ...columns])} WHERE ${inGroup}${id} IN (?)`,
      values: (groupValue, ids) => (group === null ? [ids] : [groupValue, ids]),
    };
  }
  return {
    // IDs are one JSON value, so one prepared statement serves any number of them. CROSS JOIN fixes the join order.
    sql:
      'WITH wanted (wanted_id) AS (SELECT value FROM json_each(?)) ' +
      `SELECT ${[...new Set<string>([id, ...columns])].join(', ')} FROM wanted ` +
      `CROSS JOIN ${metadata.tableName} ON ${inGroup}${id} = wanted_id`,
    values: (groupValue, ids) => (group === null ? [JSON.stringify(ids)] : [JSON.stringify(ids), groupValue]),
  };
}

/** Compiles a multi-row INSERT. @param conflict null makes a duplicate key an error */
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
    maxRows: MAX_INSERT_ROWS,
  };
  if (conflict === null) return { ...insert, tail: '' };
  const key: readonly string[] = conflict.key ?? metadata.primaryColumns.map(({ propertyName }) => propertyName);
  const inserted = (column: string) => (dialect === 'mysql' ? `VALUES(${column})` : `excluded.${column}`);
  const updates = columns
    .filter((column) => !key.includes(column))
    .map((column) => `${column} = ${conflict.add?.includes(column) ? `${column} + ` : ''}${inserted(column)}`);
  if (dialect === 'mysql') {
    // Without columns to update, a no-op update: INSERT IGNORE would also truncate values that do not fit.
    return { ...insert, tail: ` ON DUPLICATE KEY UPDATE ${updates.join(', ') || `${key[0]} = ${key[0]}`}` };
  }
  const update = updates.length === 0 ? 'NOTHING' : `UPDATE SET ${updates.join(', ')}`;
  return { ...insert, tail: ` ON CONFLICT (${key.join(', ')}) DO ${update}` };
}

/** Compiles a locking read of one row. In SQLite any write transaction already excludes other writers. */
export const compileLock = (
  { tableName }: EntityMetadata,
  dialect: Dialect,
  key: readonly string[],
  columns: readonly string[],
): string =>
  `SELECT ${columns.join(', ')} FROM ${tableName} WHERE ${key.map((column) => `${column} = ?`).join(' AND ')}` +
  (dialect === 'mysql' ? ' FOR UPDATE' : '');

/** Compiles a multi-row DELETE. */
export const compileDelete = ({ tableName }: EntityMetadata, columns: readonly string[]): RowStatement => ({
  head: `DELETE FROM ${tableName} WHERE `,
  // Not `(a, b) IN ((…))`, for which MariaDB scans the table.
  row: `(${columns.map((column) => `${column} = ?`).join(' AND ')})`,
  separator: ' OR ',
  tail: '',
  maxRows: MAX_DELETE_ROWS,
});

/** Returns the columns that a row to write has, in table order. */
export const presentColumns = <E>({ columns }: EntityMetadata, example: Written<E>): ColumnOf<E>[] =>
  columns.map(({ propertyName }) => propertyName as ColumnOf<E>).filter((column) => column in example);

/** Returns the values of the columns per row; null for a missing property. */
export const rowValues = (rows: readonly object[], columns: readonly string[]): SqlValue[][] =>
  rows.map((row) => columns.map((column) => (row as Readonly<Record<string, SqlValue>>)[column] ?? null));
