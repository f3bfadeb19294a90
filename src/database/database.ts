import type { DataSource } from 'typeorm';
import { DurationHistogram } from '../model/duration-histogram.js';
import type { Dialect } from './columns.js';
import { KeysetList, type KeysetDescription, type PageRequest } from './keyset.js';
import {
  columnsOf,
  compileDelete,
  compileInsert,
  compileLock,
  compileLookup,
  valuesOf,
  type ColumnOf,
  type Conflict,
  type EntityClass,
  type Lookup,
  type LookupDescription,
  type RowStatement,
  type Select,
  type SqlValue,
  type Written,
} from './statements.js';

/** Read consistency: `near` may lag (a read replica, where there is one); `fresh` reads the primary. */
export type Recency = 'near' | 'fresh';

/** Where TypeORM notes which migrations ran. */
export const MIGRATIONS_TABLE = 'schema_migrations';

export interface Reading {
  readonly recency?: Recency | undefined;
  /** Many rows for one answer: worth the way to a thread, where there is one. */
  readonly isLarge?: boolean;
}

/** From here on a read gains from a thread: measured with pages of 20. */
const MANY = 16;

/** IDs of one statement that need no counting: the longest ones take a third of the smallest packet that is advised. */
const FEW_IDS = 256;

/** Bytes of IDs in one statement; escaping doubles them at most. */
const MAX_ID_LIST_BYTES = 256 * 1024;

/** Cuts IDs into lists that fit into a message to the server. */
function piecesOf(ids: readonly (string | number)[]): (string | number)[][] {
  const pieces: (string | number)[][] = [];
  let piece: (string | number)[] = [];
  let bytes = 0;
  for (const id of ids) {
    bytes += Buffer.byteLength(String(id)) + 4;
    if (bytes > MAX_ID_LIST_BYTES) {
      pieces.push(piece);
      piece = [];
      bytes = 0;
    }
    piece.push(id);
  }
  return [...pieces, piece];
}

export const isLarge = (rows: number): boolean => rows >= MANY;

/** Reads rows, in or outside a transaction. Statements are compiled from entity metadata. */
export abstract class Reader {
  abstract readonly dialect: Dialect;
  /** The primary's TypeORM data source: migrations, entities, cold paths. */
  abstract readonly dataSource: DataSource;

  /** Runs a compiled statement on the raw driver: TypeORM's entity hydration costs more than the read. */
  abstract all<R>(statement: Select<R>, values: readonly unknown[], reading?: Reading): Promise<R[]>;

  /** Compiles a look-up. @throws Error without an index for it */
  lookup<E, I extends ColumnOf<E>, C extends ColumnOf<E>>(
    description: LookupDescription<E, I, C>,
  ): Lookup<Pick<E, I | C>> {
    return compileLookup(this.dataSource.getMetadata(description.entity), this.dialect, description);
  }

  /** Compiles keyset pagination. @throws Error without an index for it */
  list<E, K extends ColumnOf<E>, C extends ColumnOf<E> = never>(
    description: KeysetDescription<E, K, C>,
  ): KeysetList<Pick<E, K | C>, K> {
    return new KeysetList<Pick<E, K | C>, K>(
      this.dataSource.getMetadata(description.entity),
      this.dialect,
      description as unknown as KeysetDescription<Pick<E, K | C>, K, K | C>,
    );
  }

  /** Rows by ID; missing IDs give no row. */
  findMany<R>(
    lookup: Lookup<R>,
    group: number | null,
    ids: readonly (string | number)[],
    reading?: Reading,
  ): Promise<R[]> {
    if (this.dialect !== 'mysql' || ids.length <= FEW_IDS) {
      return this.all(lookup, lookup.values(group, ids), reading);
    }
    const pieces = piecesOf(ids).map((some) => this.all(lookup, lookup.values(group, some), reading));
    return Promise.all(pieces).then((rows) => rows.flat());
  }

  /** A page, plus one row if more follow. */
  page<R, K extends keyof R & string>(
    list: KeysetList<R, K>,
    request: PageRequest<Pick<R, K>>,
    recency?: Recency,
  ): Promise<R[]> {
    const { statement, values } = list.page(request);
    return this.all(statement, values, { recency, isLarge: isLarge(request.limit) });
  }

  async has<R, K extends keyof R & string>(
    list: KeysetList<R, K>,
    filters: readonly SqlValue[] = [],
  ): Promise<boolean> {
    return (await this.page(list, { filters, limit: 0 })).length > 0;
  }

  /** All pages of a list from the primary, ascending. */
  async *pages<R, K extends keyof R & string>(
    list: KeysetList<R, K>,
    request: Pick<PageRequest<Pick<R, K>>, 'filters' | 'from' | 'to' | 'limit'>,
  ): AsyncGenerator<R[]> {
    let after: R | null = null;
    do {
      const rows: R[] = await this.page(list, { ...request, after }, 'fresh');
      yield rows;
      after = rows.length > request.limit ? (rows.at(-1) ?? null) : null;
    } while (after !== null);
  }
}

/** The store; hides the differences between the databases. */
export abstract class Database extends Reader {
  /** The usage store: on SQLite its own file, since another connection's commit there would drop the page cache. */
  abstract readonly usage: Database;

  /** How long reads took, with the wait for a connection or a thread. */
  readonly reads = new DurationHistogram();

  /** Resolves while the primary answers, rejects otherwise. */
  abstract ping(): Promise<void>;

  /** Runs `work` in one transaction; any failed statement, awaited or not, rolls it back. Where another node's
   * transaction came in between, it runs again: it must have no effect but what it returns.
   * @param withinMs for all of it, where the server may hang
   * @throws CommitUnknownError if it may have been committed all the same */
  abstract write<T>(work: (writer: Writer) => Promise<T>, withinMs?: number): Promise<T>;

  /** Runs a statement of TypeORM's, again where another node's transaction came in between. */
  again<T>(statement: () => Promise<T>): Promise<T> {
    return statement();
  }

  /** The longest document that can be stored, and what a longer one is. */
  async documentLimit(): Promise<DocumentLimit> {
    return { maxBytes: Infinity, reason: '' };
  }

  /** Leaves nothing of deleted rows in files that this process writes by itself; a database server looks after its own. */
  async eraseDeleted(): Promise<void> {}

  /** The pools of connections, by what they are for; none where there are no pools. */
  pools(): readonly PoolState[] {
    return [];
  }

  abstract close(): Promise<void>;
}

export interface DocumentLimit {
  readonly maxBytes: number;
  readonly reason: string;
}

/** Connections of a pool, and what waits for one. */
export interface PoolState {
  readonly pool: string;
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}

/** Statements of one transaction: run in order, awaited or not, none after a failed one. */
export abstract class Writer extends Reader {
  /** Takes the lock that writers of creator data share, until the transaction ends. */
  abstract lockData(): Promise<void>;

  /** @returns the number of changed rows */
  protected abstract run(statement: RowStatement, rows: readonly SqlValue[][]): Promise<number>;

  /** Inserts rows with the same columns. A duplicate key is an error. */
  insert<E>(entity: EntityClass<E>, rows: readonly Written<E>[]): Promise<unknown> {
    return this.#put(entity, rows, null);
  }

  upsert<E>(entity: EntityClass<E>, rows: readonly Written<E>[], conflict: Conflict<E> = {}): Promise<unknown> {
    return this.#put(entity, rows, conflict);
  }

  /** Reads a row as last committed, and keeps others from changing it: waits for whoever is writing it. */
  lock<E, K extends ColumnOf<E>, C extends ColumnOf<E>>(
    entity: EntityClass<E>,
    key: readonly K[],
    row: Readonly<Pick<E, K>>,
    columns: readonly C[],
  ): Promise<Pick<E, C>[]> {
    const sql = compileLock(this.dataSource.getMetadata(entity), this.dialect, key, columns);
    return this.all<Pick<E, C>>({ sql }, valuesOf([row], key)[0] ?? []);
  }

  /** Deletes the rows that match one of `keys`. @returns how many there were */
  remove<E, C extends ColumnOf<E>>(
    entity: EntityClass<E>,
    columns: readonly C[],
    keys: readonly Readonly<Pick<E, C>>[],
  ): Promise<number> {
    if (keys.length === 0) return Promise.resolve(0);
    const statement = compileDelete(this.dataSource.getMetadata(entity), columns);
    return this.run(statement, valuesOf(keys, columns));
  }

  #put<E>(entity: EntityClass<E>, rows: readonly Written<E>[], conflict: Conflict<E> | null): Promise<unknown> {
    const [example] = rows;
    if (example === undefined) return Promise.resolve();
    const metadata = this.dataSource.getMetadata(entity);
    const columns = columnsOf(metadata, example);
    return this.run(compileInsert(metadata, this.dialect, columns, conflict), valuesOf(rows, columns));
  }
}

/** The store is unreachable or too busy: 503. */
export class StoreUnavailableError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : 'store unavailable', { cause });
  }
}

/** The store did not answer a commit: what was written may be there, or get there later. */
export class CommitUnknownError extends StoreUnavailableError {}
