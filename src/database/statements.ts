import type { EntityMetadata } from 'typeorm';
import type { Dialect } from './columns.js';

/** A value bound to a placeholder. */
export type SqlValue = string | number | null;

/** The class of an entity. */
export type EntityClass<E> = new () => E;

/** A row to be written: documents are written as text and read as bytes. */
export type Written<E> = { readonly [P in keyof E]?: Buffer extends E[P] ? string | Extract<E[P], null> : E[P] };

/** The name of an entity's property, which is that of its column. */
export type ColumnOf<E> = keyof E & string;

declare const row: unique symbol;

/** A compiled statement that reads rows of type `R`, an object each. */
export interface Select<R> {
  readonly sql: string;
  readonly [row]?: R;
}

/** A compiled look-up of rows by ID. */
export interface Lookup<R> extends Select<R> {
  /** What is bound to it. */
  readonly values: (group: number | null, ids: readonly SqlValue[]) => readonly unknown[];
}

/** A look-up of rows by ID, in the terms of its entity. */
export interface LookupDescription<E, I extends ColumnOf<E>, C extends ColumnOf<E>> {
  readonly entity: EntityClass<E>;
  /** Column that divides the IDs, such as the platform; `null` where IDs are unique in the table. */
  readonly group: ColumnOf<E> | null;
  readonly id: I;
  /** What is read beside the ID. */
  readonly columns: readonly C[];
}

/** How rows are written whose key is there already. */
export interface Conflict<E> {
  /** The columns of the key that decides, the primary one if none is named. */
  readonly key?: readonly ColumnOf<E>[];
  /** Columns that are added up; all others are replaced. */
  readonly add?: readonly ColumnOf<E>[];
}

/** A statement about rows: `head`, then `row` for each of them with the separator between, then `tail`. */
export interface RowStatement {
  readonly head: string;
  readonly row: string;
  readonly separator: string;
  readonly tail: string;
  /** Rows at once, at most. */
  readonly most: number;
}

/** Few enough for any `max_allowed_packet`, many enough for the round trip not to matter. */
const MOST_INSERTED = 1024;

/** As many as MariaDB looks up one by one, instead of reading the table. */
const MOST_DELETED = 128;

/** MySQL's name of a primary key. SQLite has none, and needs none: nothing else is weighed against it. */
const PRIMARY = 'PRIMARY';

/** `SELECT … FROM table` by the one index. @param index as `indexOf` finds it */
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

/** The index of an entity whose columns are these, or start with them. @throws Error if there is none */
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

/**
 * Rows of many IDs in one go; missing IDs have no row. MySQL is told the index, because weighing the others against it
 * takes a fifth of the time of a look-up of a hundred.
 */
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
    // One value however many IDs there are, so one statement to keep. A cross join is read in the order that is written.
    sql:
      'WITH wanted (wanted_id) AS (SELECT value FROM json_each(?)) ' +
      `SELECT ${[...new Set<string>([id, ...columns])].join(', ')} FROM wanted ` +
      `CROSS JOIN ${metadata.tableName} ON ${inGroup}${id} = wanted_id`,
    values: (groupValue, ids) => (group === null ? [JSON.stringify(ids)] : [JSON.stringify(ids), groupValue]),
  };
}

/**
 * An insert of rows.
 * @param columns those that the rows have
 * @param conflict null: rows whose key is there already are an error
 */
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
    // A no-op update rather than INSERT IGNORE, which would also hide values that do not fit.
    return { ...insert, tail: ` ON DUPLICATE KEY UPDATE ${updates.join(', ') || `${key[0]} = ${key[0]}`}` };
  }
  const update = updates.length === 0 ? 'NOTHING' : `UPDATE SET ${updates.join(', ')}`;
  return { ...insert, tail: ` ON CONFLICT (${key.join(', ')}) DO ${update}` };
}

/** A delete of rows by the values of columns. */
export const compileDelete = ({ tableName }: EntityMetadata, columns: readonly string[]): RowStatement => ({
  head: `DELETE FROM ${tableName} WHERE `,
  // Not (a, b) IN ((…)): MariaDB would read the whole table for it.
  row: `(${columns.map((column) => `${column} = ?`).join(' AND ')})`,
  separator: ' OR ',
  tail: '',
  most: MOST_DELETED,
});

/** The columns that rows of an entity have, in the order of the table. */
export const columnsOf = <E>({ columns }: EntityMetadata, example: Written<E>): ColumnOf<E>[] =>
  columns.map(({ propertyName }) => propertyName as ColumnOf<E>).filter((column) => column in example);

/** Rows as the drivers take them: values in the order of the columns. */
export const valuesOf = (rows: readonly object[], columns: readonly string[]): SqlValue[][] =>
  rows.map((row) => columns.map((column) => (row as Readonly<Record<string, SqlValue>>)[column] ?? null));
