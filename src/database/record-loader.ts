import { setTimeout as sleep } from 'node:timers/promises';
import DataLoader from 'dataloader';
import { DOCUMENT } from './columns.js';
import { isLarge, type Database, type Recency } from './database.js';
import type { ColumnOf, Lookup, LookupDescription } from './statements.js';

const MAX_LOOKUPS = 500;

/** Batches of requests that share a query. More would wait for one long answer while other connections have nothing to do. */
const MAX_BATCHES = 5;

/** How long look-ups gather while a query of theirs is under way: one that hangs does not hold up the others. */
const GATHER_MS = 20;

interface Batch {
  readonly group: number | null;
  readonly ids: readonly string[];
}

interface LoaderOptions<R> {
  readonly recency?: Recency;
  /** With several rows per ID: whether `row` wins. */
  readonly isBetter?: (row: R, other: R) => boolean;
}

interface DocumentFinder {
  findMany(group: number | null, ids: readonly string[]): Promise<({ readonly [DOCUMENT]: Buffer } | null)[]>;
}

/** Documents found and IDs missing, both in the order of the IDs. */
export interface FoundDocuments {
  readonly documents: readonly Buffer[];
  readonly missing: readonly string[];
}

/** DataLoader: look-ups of one event-loop turn, and those that come while a query is under way, share the next query. No
 * cache: each sees the current data. */
export class RecordLoader<E, I extends ColumnOf<E>, C extends ColumnOf<E>, R extends Pick<E, I | C> = Pick<E, I | C>> {
  readonly #lookup: Lookup<R>;
  readonly #id: I;
  readonly #lookups: DataLoader<Batch, R | null>;
  #lookupUnderWay: Promise<unknown> | null = null;
  readonly #batches: DataLoader<Batch, (R | null)[]>;

  constructor(
    private readonly database: Database,
    description: LookupDescription<E, I, C>,
    private readonly options: LoaderOptions<R> = {},
  ) {
    this.#lookup = database.lookup(description) as Lookup<R>;
    this.#id = description.id;
    // The default batches within one promise chain, which never spans two requests.
    const loading = { cache: false, batchScheduleFn: (run: () => void) => void setImmediate(run) };
    this.#batches = new DataLoader((batches) => this.#loadAll(batches, isLarge(idsIn(batches))), {
      ...loading,
      maxBatchSize: MAX_BATCHES,
    });
    this.#lookups = new DataLoader(
      async (lookups) => {
        const loaded = this.#loadAll(lookups, false);
        this.#lookupUnderWay = loaded;
        const found = await loaded;
        if (this.#lookupUnderWay === loaded) this.#lookupUnderWay = null;
        return found.map((rows) => (rows instanceof Error ? rows : (rows[0] ?? null)));
      },
      { cache: false, maxBatchSize: MAX_LOOKUPS, batchScheduleFn: (run) => void setImmediate(() => this.#gather(run)) },
    );
  }

  find(group: number | null, id: string): Promise<R | null> {
    return this.#lookups.load({ group, ids: [id] });
  }

  /** @returns rows in the order of the IDs, null where there is none */
  findMany(group: number | null, ids: readonly string[]): Promise<(R | null)[]> {
    return this.#batches.load({ group, ids });
  }

  /** Documents by IDs that are unique in their group. */
  async findDocuments(this: DocumentFinder, group: number | null, ids: readonly string[]): Promise<FoundDocuments> {
    const rows = await this.findMany(group, ids);
    return {
      documents: rows.flatMap((row) => (row === null ? [] : [row[DOCUMENT]])),
      missing: ids.filter((_id, index) => rows[index] === null),
    };
  }

  #gather(run: () => void): void {
    if (this.#lookupUnderWay === null) run();
    else void Promise.race([this.#lookupUnderWay, sleep(GATHER_MS)]).then(run);
  }

  /** Per batch its rows, or its group's error: one group's failure does not fail the others. */
  async #loadAll(batches: readonly Batch[], isLargeRead: boolean): Promise<((R | null)[] | Error)[]> {
    const idsByGroup = new Map<number | null, Set<string>>();
    for (const { group, ids } of batches) {
      const wanted = idsByGroup.get(group);
      if (wanted === undefined) idsByGroup.set(group, new Set(ids));
      else for (const id of ids) wanted.add(id);
    }
    const found = new Map<number | null, ReadonlyMap<string, R> | Error>();
    await Promise.all(
      Array.from(idsByGroup, async ([group, ids]) => {
        found.set(group, await this.#load(group, [...ids], isLargeRead).catch(asError));
      }),
    );
    return batches.map(({ group, ids }) => {
      const rows = found.get(group);
      return rows instanceof Error ? rows : ids.map((id) => rows?.get(id) ?? null);
    });
  }

  async #load(group: number | null, ids: readonly string[], isLargeRead: boolean): Promise<ReadonlyMap<string, R>> {
    const { isBetter, recency } = this.options;
    const byId = new Map<string, R>();
    for (const row of await this.database.findMany(this.#lookup, group, ids, { recency, isLarge: isLargeRead })) {
      const id = String(row[this.#id]);
      const other = byId.get(id);
      if (other === undefined || isBetter === undefined || isBetter(row, other)) byId.set(id, row);
    }
    return byId;
  }
}

const idsIn = (batches: readonly Batch[]): number => batches.reduce((sum, { ids }) => sum + ids.length, 0);

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
