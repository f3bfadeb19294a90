import type { DataSource } from 'typeorm';
import { DurationHistogram } from '../model/duration-histogram.js';
import type { Dialect } from './columns.js';
import { MAX_UNCHECKED_IDS, splitIds } from './id-lists.js';
import { KeysetList, type KeysetDescription, type PageRequest } from './keyset.js';
import {
  presentColumns,
  compileBounds,
  compileSet,
  compileDelete,
  compileInsert,
  compileLock,
  compileLookup,
  compileSumUpsert,
  rowValues,
  type ColumnOf,
  type Conflict,
  type Constants,
  type EntityClass,
  type Lookup,
  type LookupDescription,
  type RowBounds,
  type RowStatement,
  type Select,
  type SqlValue,
  type StreamRows,
  type SumDescription,
  type SumRow,
  type UpsertOptions,
  type Written,
} from './statements.js';

/** Server to read from. A `replica` may lag; without replicas it is the primary. */
export type ReadSource = 'replica' | 'primary';

/** Table in which TypeORM records the applied migrations. */
export const MIGRATIONS_TABLE = 'schema_migrations';

/** Options of a read. */
export interface ReadOptions {
  readonly source?: ReadSource | undefined;
  /** Whether to read on a reading thread, if the database has one. */
  readonly prefersThread?: boolean;
}

/** Smallest number of rows that is worth the message to a reading thread. */
const LARGE_READ_ROWS = 16;

export const isLargeRead = (rows: number): boolean => rows >= LARGE_READ_ROWS;

/** Reads rows, inside or outside a transaction, by statements compiled from entity metadata. */
export abstract class Reader {
  abstract readonly dialect: Dialect;
  /** TypeORM data source of the primary, for migrations, metadata and cold paths. */
  abstract readonly dataSource: DataSource;

  /** Runs a compiled statement on the driver itself, which skips TypeORM's entity hydration. */
  abstract all<R>(statement: Select<R>, values: readonly unknown[], reading?: ReadOptions): Promise<R[]>;

  /** Compiles a look-up by ID. @throws Error if the entity has no index for it */
  lookup<E, I extends ColumnOf<E>, C extends ColumnOf<E>>(
    description: LookupDescription<E, I, C>,
  ): Lookup<Pick<E, I | C>> {
    return compileLookup(this.dataSource.getMetadata(description.entity), this.dialect, description);
  }

  /** Compiles a list with keyset pagination. @throws Error if the entity has no index for it */
  list<E, K extends ColumnOf<E>, C extends ColumnOf<E> = never>(
    description: KeysetDescription<E, K, C>,
  ): KeysetList<Pick<E, K | C>, K> {
    return new KeysetList<Pick<E, K | C>, K>(
      this.dataSource.getMetadata(description.entity),
      this.dialect,
      description as unknown as KeysetDescription<Pick<E, K | C>, K, K | C>,
    );
  }

  /** Finds rows by ID; an unknown ID yields no row. */
  findMany<R>(
    lookup: Lookup<R>,
    group: number | null,
    ids: readonly (string | number)[],
    reading?: ReadOptions,
  ): Promise<R[]> {
    if (ids.length === 0) return Promise.resolve([]); // `IN ()` is no SQL
    if (this.dialect !== 'mysql' || ids.length <= MAX_UNCHECKED_IDS) {
      return this.all(lookup, lookup.values(group, ids), reading);
    }
    const reads = splitIds(ids).map((list) => this.all(lookup, lookup.values(group, list), reading));
    return Promise.all(reads).then((rows) => rows.flat());
  }

  /** Reads a page, with one row more than the limit if a next page exists. */
  page<R, K extends keyof R & string>(
    list: KeysetList<R, K>,
    request: PageRequest<Pick<R, K>>,
    source?: ReadSource,
  ): Promise<R[]> {
    const { statement, values } = list.page(request);
    return this.all(statement, values, { source, prefersThread: isLargeRead(request.limit) });
  }

  /** Frees the memory of the rows of a page, which must not be used afterwards. Does nothing where pages share memory. */
  freePage(_rows: readonly object[]): void {}

  /** Reports whether a list has any row. */
  async has<R, K extends keyof R & string>(
    list: KeysetList<R, K>,
    filters: readonly SqlValue[] = [],
  ): Promise<boolean> {
    return (await this.page(list, { filters, limit: 0 })).length > 0;
  }

  /** Reads all pages of a list from the primary, ascending. */
  async *pages<R, K extends keyof R & string>(
    list: KeysetList<R, K>,
    request: Pick<PageRequest<Pick<R, K>>, 'filters' | 'from' | 'to' | 'limit'>,
  ): AsyncGenerator<R[]> {
    let after: R | null = null;
    do {
      const rows: R[] = await this.page(list, { ...request, after }, 'primary');
      yield rows;
      after = rows.length > request.limit ? (rows.at(-1) ?? null) : null;
    } while (after !== null);
  }
}

/** Store that hides the differences between the databases. */
export abstract class Database extends Reader {
  /** Store of usage records. SQLite keeps it in its own file: a commit by another connection would drop the page cache. */
  abstract readonly usage: Database;
  /** Durations of reads, including the wait for a connection or a thread. */
  readonly reads = new DurationHistogram();

  /** Resolves if the primary answers, rejects otherwise. */
  abstract ping(): Promise<void>;

  /** Runs `work` in one transaction. A failed statement rolls it back, whether it was awaited or not. After a conflict with
   * another transaction `work` runs again, so it must have no side effects.
   * @param withinMs time limit for all attempts together, in case the server hangs
   * @throws CommitUnknownError if the failed transaction may have been committed */
  abstract write<T>(work: (writer: Writer) => Promise<T>, withinMs?: number): Promise<T>;

  /** Runs `work` on one state of the store, whatever other connections write meanwhile. */
  abstract snapshot<T>(work: (stream: StreamRows) => Promise<T>): Promise<T>;

  /** Runs a TypeORM statement, and retries it after a conflict with another transaction. */
  retryOnConflict<T>(statement: () => Promise<T>): Promise<T> {
    return statement();
  }

  /** Returns the maximum length of a document, and the reason for which a longer one is rejected. */
  async documentLimit(): Promise<DocumentSizeLimit> {
    return { maxBytes: Infinity, reason: '' };
  }

  /** Erases deleted rows from the files that this process writes. Database servers manage their own files. */
  async eraseDeleted(): Promise<void> {}

  /** Keeps memory small for transactions of a few rows; an import needs more. */
  async limitWriteMemory(): Promise<void> {}

  /** Lists the connection pools; empty for a database without pools. */
  pools(): readonly PoolState[] {
    return [];
  }

  abstract close(): Promise<void>;
}

/** Maximum length of a document, and the reason for it, worded to follow "is". */
export interface DocumentSizeLimit {
  readonly maxBytes: number;
  readonly reason: string;
}

/** Number of connections of a pool, and of callers that wait for one. */
export interface PoolState {
  readonly pool: string;
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}

/** Transaction whose statements run in order, awaited or not. None runs after a failed one. */
export abstract class Writer extends Reader {
  /** Acquires the lock shared by writers of creator data, until the transaction ends. */
  abstract lockData(): Promise<void>;

  /** @returns the number of changed rows */
  protected abstract run(statement: RowStatement, rows: readonly SqlValue[][]): Promise<number>;

  /** Inserts rows, which must all have the same columns. A duplicate key is an error. */
  insert<E>(entity: EntityClass<E>, rows: readonly Written<E>[]): Promise<unknown> {
    return this.#insertRows(entity, rows, null);
  }

  /** Inserts rows, or updates those whose key exists. @returns with `keepsStored` the number of inserted rows */
  upsert<E>(entity: EntityClass<E>, rows: readonly Written<E>[], options: UpsertOptions<E> = {}): Promise<number> {
    return this.#insertRows(entity, rows, options, options.shared);
  }

  /** @returns the rows that the statement selects */
  protected abstract select<R>(statement: RowStatement, rows: readonly SqlValue[][]): Promise<R[]>;

  /** Reads the last committed version of the rows with these keys and locks them until the transaction ends. Waits for
   * transactions that write them. */
  lock<E, K extends ColumnOf<E>, C extends ColumnOf<E>>(
    entity: EntityClass<E>,
    key: readonly K[],
    rows: readonly Readonly<Pick<E, K>>[],
    columns: readonly C[],
  ): Promise<Pick<E, C>[]> {
    const statement = compileLock(this.dataSource.getMetadata(entity), this.dialect, key, columns);
    return rows.length === 0 ? Promise.resolve([]) : this.select<Pick<E, C>>(statement, rowValues(rows, key));
  }

  /** Fails the transaction with an `OutOfBoundsError` if a row has less or more in one of the columns than its bounds. */
  requireWithin<E, K extends ColumnOf<E>, C extends ColumnOf<E>>(
    entity: EntityClass<E>,
    key: readonly K[],
    columns: readonly C[],
    bounds: readonly RowBounds<Pick<E, K>, Pick<E, C>>[],
  ): Promise<unknown> {
    if (bounds.length === 0) return Promise.resolve();
    const statement = compileBounds(this.dataSource.getMetadata(entity), key, columns);
    const values = bounds.map(({ key: row, least, most }) => [
      ...(rowValues([row], key)[0] ?? []),
      ...(rowValues([least], columns)[0] ?? []),
      ...(rowValues([most], columns)[0] ?? []),
    ]);
    return this.run(statement, values);
  }

  /** Upserts rows whose columns `sums` are sums over the rows of another entity, in a range of its column. */
  upsertSums<E, S, K extends ColumnOf<E>, C extends ColumnOf<E> & ColumnOf<S>>(
    entity: EntityClass<E>,
    summed: EntityClass<S>,
    { key, sums, range }: SumDescription<K, C, ColumnOf<S>>,
    rows: readonly SumRow<Pick<E, K>>[],
  ): Promise<unknown> {
    if (rows.length === 0) return Promise.resolve();
    const [target, source] = [this.dataSource.getMetadata(entity), this.dataSource.getMetadata(summed)];
    const values = rows.map(({ key: row, from, to }) => {
      const keyValues = rowValues([row], key)[0] ?? [];
      return [...keyValues, keyValues[0] ?? null, from, to];
    });
    return this.run(compileSumUpsert(target, source, this.dialect, { key, sums, range }), values);
  }

  /** Sets columns of the rows with these keys to constants. */
  set<E, K extends ColumnOf<E>>(
    entity: EntityClass<E>,
    constants: Constants<E>,
    key: readonly K[],
    rows: readonly Readonly<Pick<E, K>>[],
  ): Promise<unknown> {
    const statement = compileSet(this.dataSource.getMetadata(entity), constants, key);
    return rows.length === 0 ? Promise.resolve() : this.run(statement, rowValues(rows, key));
  }

  /** Deletes the rows that match any of `keys`. @returns the number of deleted rows */
  remove<E, C extends ColumnOf<E>>(
    entity: EntityClass<E>,
    columns: readonly C[],
    keys: readonly Readonly<Pick<E, C>>[],
  ): Promise<number> {
    const statement = compileDelete(this.dataSource.getMetadata(entity), columns);
    return keys.length === 0 ? Promise.resolve(0) : this.run(statement, rowValues(keys, columns));
  }

  #insertRows<E>(
    entity: EntityClass<E>,
    rows: readonly Written<E>[],
    conflict: Conflict<E> | null,
    shared: Written<E> = {},
  ): Promise<number> {
    if (rows[0] === undefined) return Promise.resolve(0);
    const metadata = this.dataSource.getMetadata(entity);
    const columns = presentColumns(metadata, { ...rows[0], ...shared });
    return this.run(compileInsert(metadata, this.dialect, columns, conflict), rowValues(rows, columns, shared));
  }
}

/** The store is unreachable or overloaded; the API answers 503. */
export class StoreUnavailableError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : 'store unavailable', { cause });
  }
}

/** The store did not answer a COMMIT, so the transaction may be committed, now or later. */
export class CommitUnknownError extends StoreUnavailableError {}

/** A row was out of its bounds of `Writer.requireWithin`. Nothing was written. */
export class OutOfBoundsError extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}
