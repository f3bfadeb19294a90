import DataLoader from 'dataloader';
import type { Database, FoundDocuments, Lookup, Row } from './database.js';

/** Single look-ups that one query may hold. */
const MAX_LOOKUPS = 500;

/** Batches that one query may hold. More would make the first wait for the last, and leave other connections idle. */
const MAX_BATCHES = 5;

interface Batch {
  readonly group: number | null;
  readonly ids: readonly string[];
}

/**
 * Reads rows by ID. Look-ups of concurrent requests are collected for a turn of the event loop and sent as one query;
 * nothing is cached, so every look-up sees the store as it is now.
 */
export class RecordLoader {
  readonly #lookups: DataLoader<Batch, Row | null>;
  readonly #batches: DataLoader<Batch, (Row | null)[]>;

  /**
   * @param fresh read from the primary, not from a replica
   * @param isBetter where several rows have one ID: whether the first is to be preferred to the second
   */
  constructor(
    private readonly database: Database,
    private readonly lookup: Lookup,
    private readonly fresh: boolean,
    private readonly isBetter: (row: Row, other: Row) => boolean = () => true,
  ) {
    // The default collects within one promise chain only, which never spans two requests.
    const options = { cache: false, batchScheduleFn: (run: () => void) => void setImmediate(run) };
    this.#batches = new DataLoader((batches) => this.#loadAll(batches), { ...options, maxBatchSize: MAX_BATCHES });
    this.#lookups = new DataLoader(
      async (lookups) =>
        (await this.#loadAll(lookups)).map((rows) => (rows instanceof Error ? rows : (rows[0] ?? null))),
      { ...options, maxBatchSize: MAX_LOOKUPS },
    );
  }

  /** @returns the row, starting with its ID, or null */
  find(group: number | null, id: string): Promise<Row | null> {
    return this.#lookups.load({ group, ids: [id] });
  }

  /** @returns the rows in the order of their IDs, null where there is none */
  findMany(group: number | null, ids: readonly string[]): Promise<(Row | null)[]> {
    return this.#batches.load({ group, ids });
  }

  /** @returns the documents of a look-up whose only column they are, and whose IDs are unique in their group */
  async findDocuments(group: number | null, ids: readonly string[]): Promise<FoundDocuments> {
    const rows = await this.findMany(group, ids);
    return {
      documents: rows.filter((row) => row !== null).map((row) => row[1] as Buffer),
      missing: ids.filter((_id, index) => rows[index] === null),
    };
  }

  /** @returns for each batch its rows, or why those of its group could not be read: no concern of other groups */
  async #loadAll(batches: readonly Batch[]): Promise<((Row | null)[] | Error)[]> {
    const idsByGroup = new Map<number | null, Set<string>>();
    for (const { group, ids } of batches) {
      const wanted = idsByGroup.get(group);
      if (wanted === undefined) idsByGroup.set(group, new Set(ids));
      else for (const id of ids) wanted.add(id);
    }
    const found = new Map<number | null, ReadonlyMap<string, Row> | Error>();
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

  async #load(group: number | null, ids: readonly string[]): Promise<ReadonlyMap<string, Row>> {
    return this.#byId(await this.database.findMany(this.lookup, group, ids, this.fresh));
  }

  #byId(rows: readonly Row[]): Map<string, Row> {
    const byId = new Map<string, Row>();
    for (const row of rows) {
      const id = String(row[0]);
      const other = byId.get(id);
      if (other === undefined || this.isBetter(row, other)) byId.set(id, row);
    }
    return byId;
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
