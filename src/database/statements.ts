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

/** Yields the rows of a statement, in groups that take little memory. */
export type StreamRows = <R>(statement: Select<R>, values: readonly unknown[]) => AsyncIterable<R[]>;

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
  /** Number column, never null: the stored row is kept if its value is higher. Not with `add`. */
  readonly keepHighest?: ColumnOf<E>;
  /** Whether stored rows are kept in any case. */
  readonly keepsStored?: true;
}

/** Options of an upsert. */
export interface UpsertOptions<E> extends Conflict<E> {
  /** Columns that the rows lack, with one value for all of them: it spares a copy of each row. */
  readonly shared?: Written<E>;
}

/** Sums that are written to the row with a key. The first column of the key also selects the rows to sum. */
export interface SumDescription<K, C, R> {
  readonly key: readonly K[];
  readonly sums: readonly C[];
  readonly range: R;
}

/** Key of a row to write, and the inclusive range of the rows to sum. */
export interface SumRow<K> {
  readonly key: Readonly<K>;
  readonly from: number;
  readonly to: number;
}

/** Inclusive bounds of columns of the row with a key. */
export interface RowBounds<K, C> {
  readonly key: Readonly<K>;
  readonly least: Readonly<C>;
  readonly most: Readonly<C>;
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

/** Maximum keys that a condition lists. MariaDB finds this many by index; for more it scans the table. */
const MAX_RANGES = 128;

/** Name of the primary key in MySQL. SQLite has no name for it and needs no index hint. */
const PRIMARY = 'PRIMARY';
const indexedBy = (index: string): string => (index === PRIMARY ? '' : ` INDEXED BY ${index}`);

/** Compiles `SELECT … FROM table` with an index hint. @param index a name that `findIndexName` returned
 * @param parameters number of parameters to select before the columns */
export function selectFrom(
  { tableName }: EntityMetadata,
  dialect: Dialect,
  index: string,
  columns: readonly string[],
  parameters = 0,
): string {
  const use = dialect === 'mysql' ? ` FORCE INDEX (${index})` : indexedBy(index);
  return `SELECT ${[...Array<string>(parameters).fill('?'), ...new Set(columns)].join(', ')} FROM ${tableName}${use}`;
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

/** Compiles a look-up by IDs; an unknown ID yields no row. Its index hint keeps MySQL from comparing plans, and SQLite from scans. */
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
    // One JSON value, so that one prepared statement serves any number of IDs. CROSS JOIN fixes the join order.
    sql:
      'WITH wanted (wanted_id) AS (SELECT value FROM json_each(?)) ' +
      `SELECT ${[...new Set<string>([id, ...columns])].join(', ')} FROM wanted ` +
      `CROSS JOIN ${metadata.tableName}${indexedBy(index)} ON ${inGroup}${id} = wanted_id`,
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
  return {
    head: `INSERT INTO ${metadata.tableName} (${columns.join(', ')}) VALUES `,
    row: `(${columns.map(() => '?').join(', ')})`,
    separator: ', ',
    tail: conflict === null ? '' : upsertTail(metadata, dialect, columns, conflict),
    maxRows: MAX_INSERT_ROWS,
  };
}

function upsertTail<E>(
  metadata: EntityMetadata,
  dialect: Dialect,
  columns: readonly string[],
  conflict: Conflict<E>,
): string {
  const { add = [], keepHighest }: { readonly add?: readonly string[]; readonly keepHighest?: string } = conflict;
  const key: readonly string[] = conflict.key ?? metadata.primaryColumns.map(({ propertyName }) => propertyName);
  const inserted = (column: string) => (dialect === 'mysql' ? `VALUES(${column})` : `excluded.${column}`);
  const updated = conflict.keepsStored ? [] : columns.filter((column) => !key.includes(column));
  const updates = updated.map(
    (column) => `${column} = ${add.includes(column) ? `${column} + ` : ''}${inserted(column)}`,
  );
  if (dialect === 'mysql') {
    if (keepHighest !== undefined) {
      // Last, because assignments see those before them.
      const ordered = [...updated.filter((column) => column !== keepHighest), keepHighest];
      const isOlder = `${inserted(keepHighest)} < ${keepHighest}`;
      const kept = ordered.map((column) => `${column} = IF(${isOlder}, ${column}, ${inserted(column)})`);
      return ` ON DUPLICATE KEY UPDATE ${kept.join(', ')}`;
    }
    // Without columns to update, a no-op update: INSERT IGNORE would also truncate values that do not fit.
    return ` ON DUPLICATE KEY UPDATE ${updates.join(', ') || `${key[0]} = ${key[0]}`}`;
  }
  const update = updates.length === 0 ? 'NOTHING' : `UPDATE SET ${updates.join(', ')}`;
  if (keepHighest === undefined) return ` ON CONFLICT (${key.join(', ')}) DO ${update}`;
  const stored = (column: string) => `${metadata.tableName}.${column}`;
  // MySQL leaves a row with the same values alone, SQLite would write it.
  const isDifferent = `(${updated.map(inserted).join(', ')}) IS NOT (${updated.map(stored).join(', ')})`;
  const condition = `${inserted(keepHighest)} >= ${stored(keepHighest)} AND ${isDifferent}`;
  return ` ON CONFLICT (${key.join(', ')}) DO ${update} WHERE ${condition}`;
}

/** Compiles a locking read of the rows with these keys. In SQLite any write transaction already excludes other writers. */
export const compileLock = (
  { tableName }: EntityMetadata,
  dialect: Dialect,
  key: readonly string[],
  columns: readonly string[],
): RowStatement => ({
  head: `SELECT ${columns.join(', ')} FROM ${tableName} WHERE `,
  row: matchesAll(key),
  separator: ' OR ',
  tail: dialect === 'mysql' ? ' FOR UPDATE' : '',
  maxRows: MAX_RANGES,
});

/** Compiles an upsert that sets columns to the sums of the rows in a range of another table: one statement per row of values. */
export function compileSumUpsert(
  target: EntityMetadata,
  source: EntityMetadata,
  dialect: Dialect,
  { key, sums, range }: SumDescription<string, string, string>,
): RowStatement {
  const filter = key[0] ?? '';
  const index = findIndexName(source, [filter, range], 'from the start');
  const summed = sums.map((column) => `COALESCE(SUM(${column}), 0)`);
  return {
    head: `INSERT INTO ${target.tableName} (${[...key, ...sums].join(', ')}) `,
    row: `${selectFrom(source, dialect, index, summed, key.length)} WHERE ${filter} = ? AND ${range} >= ? AND ${range} <= ?`,
    separator: '',
    tail: upsertTail(target, dialect, [...key, ...sums], {}),
    maxRows: 1,
  };
}

/**
 * Compiles a statement that fails if a row is out of its bounds: it sets NULL, which the column forbids. So a transaction can
 * depend on a condition without a round trip to the client, during which its locks would be held.
 */
export const compileBounds = (
  { tableName }: EntityMetadata,
  key: readonly string[],
  columns: readonly string[],
): RowStatement => ({
  head: `UPDATE ${tableName} SET ${columns[0]} = NULL WHERE `,
  row: `(${matches(key)} AND (${[...columns.map((column) => `${column} < ?`), ...columns.map((column) => `${column} > ?`)].join(' OR ')}))`,
  separator: ' OR ',
  tail: '',
  maxRows: MAX_RANGES,
});

/** Constants of the code, never of a request: they become part of the statement. */
export type Constants<E> = { readonly [P in keyof E]?: number | null };

/** Compiles an UPDATE that sets columns of several rows to constants. */
export const compileSet = (
  { tableName }: EntityMetadata,
  constants: Readonly<Record<string, number | null | undefined>>,
  key: readonly string[],
): RowStatement => ({
  head: `UPDATE ${tableName} SET ${Object.entries(constants)
    .map(([column, value]) => `${column} = ${value ?? 'NULL'}`)
    .join(', ')} WHERE `,
  row: matchesAll(key),
  separator: ' OR ',
  tail: '',
  maxRows: MAX_RANGES,
});

const matches = (columns: readonly string[]): string => columns.map((column) => `${column} = ?`).join(' AND ');

const matchesAll = (columns: readonly string[]): string => `(${matches(columns)})`;

/** Compiles a multi-row DELETE. */
export const compileDelete = ({ tableName }: EntityMetadata, columns: readonly string[]): RowStatement => ({
  head: `DELETE FROM ${tableName} WHERE `,
  // Not `(a, b) IN ((…))`, for which MariaDB scans the table.
  row: matchesAll(columns),
  separator: ' OR ',
  tail: '',
  maxRows: MAX_RANGES,
});

/** Returns the columns that a row to write has, in table order. */
export const presentColumns = <E>({ columns }: EntityMetadata, example: Written<E>): ColumnOf<E>[] =>
  columns.map(({ propertyName }) => propertyName as ColumnOf<E>).filter((column) => column in example);

type Values = Readonly<Record<string, SqlValue>>;

/** Returns the values of the columns per row; null for a missing property. @param shared values of columns that rows lack */
export const rowValues = (rows: readonly object[], columns: readonly string[], shared: object = {}): SqlValue[][] => {
  const others = columns.map((column) => (shared as Values)[column] ?? null);
  return rows.map((row) => columns.map((column, index) => (row as Values)[column] ?? others[index] ?? null));
};
