import type { DataSource } from 'typeorm';
import type { Dialect } from './columns.js';
import { KeysetList, type KeysetDescription, type PageRequest } from './keyset.js';
import {
  columnsOf,
  compileDelete,
  compileInsert,
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

/**
 * How recent a read has to be: `near` may be a moment old, from a read replica where there is one; `fresh` is as of now,
 * from the primary.
 */
export type Recency = 'near' | 'fresh';

/** What reads rows, inside a transaction or outside. Statements are described by entity and compiled from its metadata. */
export abstract class Reader {
  abstract readonly dialect: Dialect;
  /** The primary's TypeORM data source: migrations, entities, and everything that is not on a hot path. */
  abstract readonly dataSource: DataSource;

  /**
   * Runs a compiled statement with the driver under TypeORM: its own query builder would make entities of the rows, which
   * costs more than reading them.
   */
  abstract all<R>(statement: Select<R>, values: readonly unknown[], recency?: Recency): Promise<R[]>;

  /** Compiles a look-up. @throws Error if the entity has no index for it */
  lookup<E, I extends ColumnOf<E>, C extends ColumnOf<E>>(
    description: LookupDescription<E, I, C>,
  ): Lookup<Pick<E, I | C>> {
    return compileLookup(this.dataSource.getMetadata(description.entity), this.dialect, description);
  }

  /** Compiles the pages of a list. @throws Error if the entity has no index for it */
  list<E, K extends ColumnOf<E>, C extends ColumnOf<E> = never>(
    description: KeysetDescription<E, K, C>,
  ): KeysetList<Pick<E, K | C>, K> {
    return new KeysetList<Pick<E, K | C>, K>(
      this.dataSource.getMetadata(description.entity),
      this.dialect,
      description as unknown as KeysetDescription<Pick<E, K | C>, K, K | C>,
    );
  }

  /** Rows of many IDs in one go. Missing IDs have no row. */
  findMany<R>(
    lookup: Lookup<R>,
    group: number | null,
    ids: readonly (string | number)[],
    recency?: Recency,
  ): Promise<R[]> {
    return this.all(lookup, lookup.values(group, ids), recency);
  }

  /** A page of a list, and one row more if there is one. */
  page<R, K extends keyof R & string>(
    list: KeysetList<R, K>,
    request: PageRequest<Pick<R, K>>,
    recency?: Recency,
  ): Promise<R[]> {
    const { statement, values } = list.page(request);
    return this.all(statement, values, recency);
  }

  /** Whether a list has a row at all. */
  async has<R, K extends keyof R & string>(
    list: KeysetList<R, K>,
    filters: readonly SqlValue[] = [],
  ): Promise<boolean> {
    return (await this.page(list, { filters, limit: 0 })).length > 0;
  }

  /** All pages of a list as of now, from the first on, in ascending order. */
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

/** The store as the service knows it. What differs between the databases is decided behind it. */
export abstract class Database extends Reader {
  /**
   * Where usage is recorded and told from: this server by connections of its own, a file of its own beside the embedded
   * database. SQLite forgets the pages it keeps with every commit of somebody else to their file, and usage is committed all
   * the time.
   */
  abstract readonly usage: Database;

  /** Resolves while the primary answers, rejects otherwise. */
  abstract ping(): Promise<void>;

  /**
   * Runs `work` in one transaction of a writer; an error rolls everything back, that of a statement which `work` did not
   * wait for included.
   */
  abstract write<T>(work: (writer: Writer) => Promise<T>): Promise<T>;

  abstract close(): Promise<void>;
}

/** Statements inside a transaction. They run in their order, awaited or not, and none after one that failed. */
export abstract class Writer extends Reader {
  /** Takes the lock that all writers of creator data share until the end of the transaction. */
  abstract lockData(): Promise<void>;

  /** Runs a statement about rows. @returns how many it changed */
  protected abstract run(statement: RowStatement, rows: readonly SqlValue[][]): Promise<number>;

  /** Inserts rows; all have the same columns. One whose key is there already is an error. */
  insert<E>(entity: EntityClass<E>, rows: readonly Written<E>[]): Promise<unknown> {
    return this.#put(entity, rows, null);
  }

  /** Inserts rows, replacing those whose key is there already. */
  upsert<E>(entity: EntityClass<E>, rows: readonly Written<E>[], conflict: Conflict<E> = {}): Promise<unknown> {
    return this.#put(entity, rows, conflict);
  }

  /**
   * Deletes the rows whose columns equal those of one of `keys`.
   * @returns how many there were
   */
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

/** The store could not be reached, or is too busy to answer: a 503, never the caller's fault. */
export class StoreUnavailableError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : 'store unavailable', { cause });
  }
}
