import DataLoader from 'dataloader';
import type { Database } from '../../database/database.js';
import type { Lookup } from '../../database/statements.js';
import { GameEntity } from './game.entity.js';

/** Results kept, about a kilobyte each: the same few thousand games are what most searches find. */
const MAX_KEPT = 16_384;

/** Larger documents are read each time, so that the memory is bounded; that of a game has 300 bytes. */
const MAX_KEPT_BYTES = 1024;

const BY_NUMBER = {
  entity: GameEntity,
  group: null,
  id: 'num',
  columns: ['unpopularity', 'name', 'id', 'document'],
} as const;

type Row = Pick<GameEntity, 'num' | 'unpopularity' | 'name' | 'id' | 'document'>;

/** A game as a search answers with it, and what results are ordered by. */
export interface SearchResult {
  readonly unpopularity: number;
  readonly name: Buffer;
  readonly id: Buffer;
  readonly document: string;
}

/**
 * The games that searches find, by number. They are kept in memory for as long as they are known to be unchanged: who
 * follows the store's revision says which are not.
 */
export class SearchResults {
  readonly #byNumber: Lookup<Row>;
  readonly #kept = new Map<number, SearchResult>();
  /** Reads what concurrent searches lack with one query. */
  readonly #missing: DataLoader<number, SearchResult | null>;
  /** Tells results that were under way when something changed. */
  #changes = 0;

  constructor(private readonly database: Database) {
    this.#byNumber = database.lookup(BY_NUMBER);
    this.#missing = new DataLoader((numbers) => this.#read(numbers), {
      cache: false,
      maxBatchSize: 500,
      batchScheduleFn: (run) => setImmediate(run),
    });
  }

  /** @returns the games with these numbers, by rating count, name and ID; one that is gone is left out */
  async load(numbers: readonly number[]): Promise<SearchResult[]> {
    const results: (SearchResult | null)[] = [];
    const missing: number[] = [];
    for (const num of numbers) {
      const kept = this.#kept.get(num);
      if (kept === undefined) missing.push(num);
      else results.push(kept);
    }
    if (missing.length > 0) results.push(...(await Promise.all(missing.map((num) => this.#missing.load(num)))));
    return results.filter((result) => result !== null).sort(inOrder);
  }

  /** Says that a game has changed. */
  drop(num: number): void {
    this.#changes += 1;
    this.#kept.delete(num);
  }

  /** Says that any game may have changed. */
  dropAll(): void {
    this.#changes += 1;
    this.#kept.clear();
  }

  async #read(numbers: readonly number[]): Promise<(SearchResult | null)[]> {
    const before = this.#changes;
    const rows = await this.database.findMany(this.#byNumber, null, [...new Set(numbers)], 'fresh');
    const found = new Map(rows.map((row) => [row.num, searchResult(row)]));
    // What was read while something changed may be older than the change.
    if (before === this.#changes) this.#keep(found);
    return numbers.map((num) => found.get(num) ?? null);
  }

  #keep(found: ReadonlyMap<number, SearchResult>): void {
    if (this.#kept.size + found.size > MAX_KEPT) this.#kept.clear();
    for (const [num, result] of found) {
      if (result.document.length <= MAX_KEPT_BYTES) this.#kept.set(num, result);
    }
  }
}

function searchResult({ unpopularity, name, id, document }: Row): SearchResult {
  return {
    unpopularity,
    name: Buffer.from(name),
    id: Buffer.from(id),
    // Without its last member, which search results do not have.
    document: `${document.slice(0, document.lastIndexOf(',"total_rating_count":'))}}`,
  };
}

function inOrder(a: SearchResult, b: SearchResult): number {
  return a.unpopularity - b.unpopularity || Buffer.compare(a.name, b.name) || Buffer.compare(a.id, b.id);
}
