import { setTimeout as sleep } from 'node:timers/promises';
import DataLoader from 'dataloader';
import { DOCUMENT } from './columns.js';
import { isLargeRead, type Database, type ReadSource } from './database.js';
import type { ColumnOf, Lookup, LookupDescription } from './statements.js';

/** Maximum number of look-ups per query. */
const MAX_LOOKUPS = 500;

/** Maximum number of batch requests per query. More would wait for one long query while other connections are idle. */
const MAX_BATCHES = 5;

/** Maximum time for which look-ups collect while a query is in flight, so that a hanging query does not block others. */
const MAX_LOOKUP_DELAY_MS = 20;

/** IDs requested together, all in one group. */
interface IdBatch {
  readonly group: number | null;
  readonly ids: readonly string[];
}

interface LoaderOptions<R> {
  readonly source?: ReadSource;
  /** Reports whether `row` is preferred, if an ID has several rows. */
  readonly isBetter?: (row: R, other: R) => boolean;
}

interface DocumentFinder {
  findMany(group: number | null, ids: readonly string[]): Promise<({ readonly [DOCUMENT]: Buffer } | null)[]>;
}

/** Found documents and missing IDs, both in the order of the requested IDs. */
export interface FoundDocuments {
  readonly documents: readonly Buffer[];
  readonly missing: readonly string[];
}

/** Combines look-ups into queries. Look-ups of one turn of the event loop, and those that arrive while a query is in flight,
 * share the next query. Nothing is cached, so each sees the current data. */
export class RecordLoader<E, I extends ColumnOf<E>, C extends ColumnOf<E>, R extends Pick<E, I | C> = Pick<E, I | C>> {
  readonly #lookup: Lookup<R>;
  readonly #id: I;
  readonly #lookups: DataLoader<IdBatch, R | null>;
  #queryInFlight: Promise<unknown> | null = null;
  readonly #batches: DataLoader<IdBatch, (R | null)[]>;

  constructor(
    private readonly database: Database,
    description: LookupDescription<E, I, C>,
    private readonly options: LoaderOptions<R> = {},
  ) {
    this.#lookup = database.lookup(description) as Lookup<R>;
    this.#id = description.id;
    // DataLoader's default schedule only batches within one promise chain, and so never across requests.
    const schedule = { cache: false, batchScheduleFn: (run: () => void) => void setImmediate(run) };
    this.#batches = new DataLoader((batches) => this.#loadAll(batches, isLargeRead(countIds(batches))), {
      ...schedule,
      maxBatchSize: MAX_BATCHES,
    });
    this.#lookups = new DataLoader(
      async (lookups) => {
        const loaded = this.#loadAll(lookups, false);
        this.#queryInFlight = loaded;
        const found = await loaded;
        if (this.#queryInFlight === loaded) this.#queryInFlight = null;
        return found.map((rows) => (rows instanceof Error ? rows : (rows[0] ?? null)));
      },
      {
        cache: false,
        maxBatchSize: MAX_LOOKUPS,
        batchScheduleFn: (run) => void setImmediate(() => this.#collect(run)),
      },
    );
  }

  /** Finds the row of an ID; null if there is none. */
  find(group: number | null, id: string): Promise<R | null> {
    return this.#lookups.load({ group, ids: [id] });
  }

  /** Finds rows in the order of the IDs; null for an ID without a row. */
  findMany(group: number | null, ids: readonly string[]): Promise<(R | null)[]> {
    return this.#batches.load({ group, ids });
  }

  /** Finds documents by IDs, which must be unique in their group. */
  async findDocuments(this: DocumentFinder, group: number | null, ids: readonly string[]): Promise<FoundDocuments> {
    const rows = await this.findMany(group, ids);
    return {
      documents: rows.flatMap((row) => (row === null ? [] : [row[DOCUMENT]])),
      missing: ids.filter((_id, index) => rows[index] === null),
    };
  }

  #collect(run: () => void): void {
    if (this.#queryInFlight === null) run();
    else void Promise.race([this.#queryInFlight, sleep(MAX_LOOKUP_DELAY_MS)]).then(run);
  }

  /** Returns per batch its rows or the error of its group, so that one group's failure does not fail the others. */
  async #loadAll(batches: readonly IdBatch[], large: boolean): Promise<((R | null)[] | Error)[]> {
    const idsByGroup = new Map<number | null, Set<string>>();
    for (const { group, ids } of batches) {
      const groupIds = idsByGroup.get(group);
      if (groupIds === undefined) idsByGroup.set(group, new Set(ids));
      else for (const id of ids) groupIds.add(id);
    }
    const found = new Map<number | null, ReadonlyMap<string, R> | Error>();
    await Promise.all(
      Array.from(idsByGroup, async ([group, ids]) => {
        found.set(group, await this.#load(group, [...ids], large).catch(toError));
      }),
    );
    return batches.map(({ group, ids }) => {
      const rows = found.get(group);
      return rows instanceof Error ? rows : ids.map((id) => rows?.get(id) ?? null);
    });
  }

  async #load(group: number | null, ids: readonly string[], large: boolean): Promise<ReadonlyMap<string, R>> {
    const { isBetter, source } = this.options;
    const byId = new Map<string, R>();
    for (const row of await this.database.findMany(this.#lookup, group, ids, { source, prefersThread: large })) {
      const id = String(row[this.#id]);
      const other = byId.get(id);
      if (other === undefined || isBetter === undefined || isBetter(row, other)) byId.set(id, row);
    }
    return byId;
  }
}

const countIds = (batches: readonly IdBatch[]): number => batches.reduce((sum, { ids }) => sum + ids.length, 0);

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
