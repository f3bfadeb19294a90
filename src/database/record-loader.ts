import DataLoader from 'dataloader';
import type { Database, Recency } from './database.js';
import type { ColumnOf, Lookup, LookupDescription } from './statements.js';

/** Single look-ups that one query may hold. */
const MAX_LOOKUPS = 500;

/** Batches that one query may hold. More would make the first wait for the last, and leave other connections idle. */
const MAX_BATCHES = 5;

interface Batch {
  readonly group: number | null;
  readonly ids: readonly string[];
}

/** How a loader reads what it looks up. */
export interface LoaderOptions<R> {
  readonly recency?: Recency;
  /** Where several rows have one ID: whether the first is to be preferred to the second. */
  readonly isBetter?: (row: R, other: R) => boolean;
}

/** A loader whose rows have documents. */
interface DocumentFinder {
  findMany(group: number | null, ids: readonly string[]): Promise<({ readonly document: Buffer } | null)[]>;
}

/** What became of many IDs. */
export interface FoundDocuments {
  /** In the order of the IDs. */
  readonly documents: readonly Buffer[];
  /** The IDs that have no document, in their order. */
  readonly missing: readonly string[];
}

/**
 * Reads rows by ID. Look-ups of concurrent requests are collected for a turn of the event loop and sent as one query;
 * nothing is cached, so every look-up sees the store as it is now.
 */
export class RecordLoader<E, I extends ColumnOf<E>, C extends ColumnOf<E>, R extends Pick<E, I | C> = Pick<E, I | C>> {
  readonly #lookup: Lookup<R>;
  readonly #id: I;
  readonly #lookups: DataLoader<Batch, R | null>;
  readonly #batches: DataLoader<Batch, (R | null)[]>;

  constructor(
    private readonly database: Database,
    description: LookupDescription<E, I, C>,
    private readonly options: LoaderOptions<R> = {},
  ) {
    this.#lookup = database.lookup(description) as Lookup<R>;
    this.#id = description.id;
    // The default collects within one promise chain only, which never spans two requests.
    const loading = { cache: false, batchScheduleFn: (run: () => void) => void setImmediate(run) };
    this.#batches = new DataLoader((batches) => this.#loadAll(batches), { ...loading, maxBatchSize: MAX_BATCHES });
    this.#lookups = new DataLoader(
      async (lookups) =>
        (await this.#loadAll(lookups)).map((rows) => (rows instanceof Error ? rows : (rows[0] ?? null))),
      { ...loading, maxBatchSize: MAX_LOOKUPS },
    );
  }

  /** @returns the row with this ID, or null */
  find(group: number | null, id: string): Promise<R | null> {
    return this.#lookups.load({ group, ids: [id] });
  }

  /** @returns the rows in the order of their IDs, null where there is none */
  findMany(group: number | null, ids: readonly string[]): Promise<(R | null)[]> {
    return this.#batches.load({ group, ids });
  }

  /** Of a look-up that reads documents by IDs that are unique in their group. */
  async findDocuments(this: DocumentFinder, group: number | null, ids: readonly string[]): Promise<FoundDocuments> {
    const rows = await this.findMany(group, ids);
    return {
      documents: rows.flatMap((row) => (row === null ? [] : [row.document])),
      missing: ids.filter((_id, index) => rows[index] === null),
    };
  }

  /** @returns for each batch its rows, or why those of its group could not be read: no concern of other groups */
  async #loadAll(batches: readonly Batch[]): Promise<((R | null)[] | Error)[]> {
    const idsByGroup = new Map<number | null, Set<string>>();
    for (const { group, ids } of batches) {
      const wanted = idsByGroup.get(group);
      if (wanted === undefined) idsByGroup.set(group, new Set(ids));
      else for (const id of ids) wanted.add(id);
    }
    const found = new Map<number | null, ReadonlyMap<string, R> | Error>();
    await Promise.all(
      Array.from(idsByGroup, async ([group, ids]) => {
        found.set(group, await this.#load(group, [...ids]).catch(asError));
      }),
    );
    return batches.map(({ group, ids }) => {
      const rows = found.get(group);
      return rows instanceof Error ? rows : ids.map((id) => rows?.get(id) ?? null);
    });
  }

  async #load(group: number | null, ids: readonly string[]): Promise<ReadonlyMap<string, R>> {
    const { isBetter, recency } = this.options;
    const byId = new Map<string, R>();
    for (const row of await this.database.findMany(this.#lookup, group, ids, recency)) {
      const id = String(row[this.#id]);
      const other = byId.get(id);
      if (other === undefined || isBetter === undefined || isBetter(row, other)) byId.set(id, row);
    }
    return byId;
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
