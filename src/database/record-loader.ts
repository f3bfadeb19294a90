import DataLoader from 'dataloader';
import type { Database, Lookup, Row } from './database.js';

interface Key {
  readonly group: number | null;
  readonly id: string;
}

/**
 * Reads single rows by ID. Look-ups of concurrent requests are collected for a turn of the event loop and sent as one
 * query; nothing is cached, so every look-up sees the store as it is now.
 */
export class RecordLoader {
  readonly #loader: DataLoader<Key, Row | null>;

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
    this.#loader = new DataLoader((keys) => this.#loadAll(keys), {
      cache: false,
      maxBatchSize: 500,
      // The default collects within one promise chain only, which never spans two requests.
      batchScheduleFn: (run) => setImmediate(run),
    });
  }

  /** @returns the row, starting with its ID, or null */
  find(group: number | null, id: string): Promise<Row | null> {
    return this.#loader.load({ group, id });
  }

  async #loadAll(keys: readonly Key[]): Promise<(Row | null)[]> {
    const idsByGroup = new Map<number | null, Set<string>>();
    for (const { group, id } of keys) {
      const ids = idsByGroup.get(group);
      if (ids === undefined) idsByGroup.set(group, new Set([id]));
      else ids.add(id);
    }
    const found = new Map<number | null, Map<string, Row>>();
    await Promise.all(
      Array.from(idsByGroup, async ([group, ids]) => {
        const rows = await this.database.findMany(this.lookup, group, [...ids], this.fresh);
        found.set(group, this.#byId(rows));
      }),
    );
    return keys.map(({ group, id }) => found.get(group)?.get(id) ?? null);
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
