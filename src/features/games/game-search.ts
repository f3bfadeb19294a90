import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CounterEntity } from '../../database/counter.entity.js';
import { Database } from '../../database/database.js';
import type { KeysetList } from '../../database/keyset.js';
import { RecordLoader } from '../../database/record-loader.js';
import { GameEntity } from './game.entity.js';
import type { GameNamespace } from './games.queries.js';
import { LIVE_PLATFORM, VIDEO_PLATFORM, type NameIndex } from './name-index.js';
import { NameIndexBuilder } from './name-index.builder.js';
import { SearchResults } from './search-results.js';
import { matches, nameWords, queryWords, type QueryWord } from './search-words.js';

/** Rows read at once while the index is built: few enough for other requests to be answered in between. */
const BUILD_PAGE = 1000;

/** Changed games are looked through one by one: from the first number on a new index is made beside the requests... */
const REBUILD_AT = 500;

/** ...and beyond this one, searches wait for it. */
const MAX_CHANGED = 5000;

/** How long building may hold up the requests at a time. */
const SLICE_MS = 2;

/** What a name index needs of a game. */
const NAMED = ['num', 'name', 'live_platform_id', 'video_platform_id'] as const;
type Named = Pick<GameEntity, (typeof NAMED)[number]>;

interface ChangedGame {
  readonly revision: number;
  readonly words: readonly string[];
  readonly platforms: number;
}

/**
 * Searches games by name. The names are indexed in the memory of the process, in the order of results; the store is
 * asked for its revision with every search, so that what another process imported is found at once: games changed
 * since the index was built are kept beside it, until they are enough for a new one.
 */
@Injectable()
export class GameSearch implements OnApplicationBootstrap {
  readonly #revisions: RecordLoader<CounterEntity, 'name', 'value'>;
  readonly #byPopularity: KeysetList<Named & Pick<GameEntity, 'unpopularity' | 'id'>, 'unpopularity' | 'name' | 'id'>;
  readonly #byRevision: KeysetList<Named & Pick<GameEntity, 'revision'>, 'revision' | 'num'>;
  readonly #results: SearchResults;
  #index: NameIndex | null = null;
  #changed = new Map<number, ChangedGame>();
  /** The revision up to which index and changes together are complete. */
  #revision = 0;
  #refreshing: Promise<void> | null = null;
  #rebuilding: Promise<void> | null = null;

  constructor(private readonly database: Database) {
    this.#revisions = new RecordLoader(
      database,
      { entity: CounterEntity, group: null, id: 'name', columns: ['value'] },
      { recency: 'fresh' },
    );
    const games = { entity: GameEntity, filters: [], columns: NAMED } as const;
    this.#byPopularity = database.list({ ...games, keys: ['unpopularity', 'name', 'id'] });
    this.#byRevision = database.list({ ...games, keys: ['revision', 'num'] });
    this.#results = new SearchResults(database);
  }

  /** Indexes the names beside the first requests, so that the first search need not wait; if it fails, a search will. */
  onApplicationBootstrap(): void {
    this.#current().catch(() => undefined);
  }

  /** @returns the documents of at most `limit` games, by rating count, name and ID */
  async find(text: string, platform: Exclude<GameNamespace, 'gamedb'> | null, limit: number): Promise<string[]> {
    const words = queryWords(text);
    if (words.length === 0) return [];
    const index = await this.#current();
    const mask = platform === null ? 0 : platform === 'live_platform' ? LIVE_PLATFORM : VIDEO_PLATFORM;
    const changed = this.#changedThatMatch(words, mask);
    const numbers = [...index.search(words, mask, limit, this.#changed), ...changed];
    const results = await this.#results.load(numbers);
    return results.slice(0, limit).map(({ document }) => document);
  }

  #changedThatMatch(words: readonly QueryWord[], mask: number): number[] {
    const found: number[] = [];
    for (const [num, game] of this.#changed) {
      if ((mask === 0 || (game.platforms & mask) !== 0) && matches(words, game.words)) found.push(num);
    }
    return found;
  }

  /** The index, once it and the changes hold everything that is in the store now. */
  async #current(): Promise<NameIndex> {
    const latest = await this.#latestRevision();
    while (this.#index === null || this.#revision < latest) {
      this.#refreshing ??= this.#refresh().finally(() => (this.#refreshing = null));
      await this.#refreshing;
    }
    return this.#index;
  }

  async #latestRevision(): Promise<number> {
    return (await this.#revisions.find(null, 'games_revision'))?.value ?? 0;
  }

  async #refresh(): Promise<void> {
    if (this.#index === null || !(await this.#addChanges())) await this.#rebuild();
    if (this.#changed.size > REBUILD_AT) {
      // Not awaited: searches go on with what there is. If it fails, the next refresh tries again.
      this.#rebuild().catch(() => undefined);
    }
  }

  /** @returns false if too much has changed */
  async #addChanges(): Promise<boolean> {
    const latest = await this.#latestRevision();
    const room = MAX_CHANGED - this.#changed.size;
    const behind = { filters: [], from: this.#revision + 1, limit: room };
    const games = await this.database.page(this.#byRevision, behind, 'fresh');
    if (games.length > room) return false;
    for (const game of games) {
      const { num, revision, name } = game;
      this.#results.drop(num);
      this.#changed.set(num, { revision, words: nameWords(name), platforms: platformsOf(game) });
    }
    this.#revision = latest;
    return true;
  }

  #rebuild(): Promise<void> {
    this.#rebuilding ??= this.#build().finally(() => (this.#rebuilding = null));
    return this.#rebuilding;
  }

  async #build(): Promise<void> {
    const revision = await this.#latestRevision();
    const builder = new NameIndexBuilder();
    for await (const page of this.database.pages(this.#byPopularity, { filters: [], limit: BUILD_PAGE })) {
      for (const game of page) builder.add(game.num, game.name, platformsOf(game));
      await nextTurn();
    }

    this.#index = await inSlices(builder.finish());
    for (const [num, game] of this.#changed) if (game.revision <= revision) this.#changed.delete(num);
    if (revision > this.#revision) {
      this.#revision = revision;
      this.#results.dropAll();
    }
  }
}

/** Runs a generator to its end, giving the event loop back every now and then. */
async function inSlices<T>(steps: Generator<void, T>): Promise<T> {
  let sliceEnd = performance.now() + SLICE_MS;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() >= sliceEnd) {
      await nextTurn();
      sliceEnd = performance.now() + SLICE_MS;
    }
  }
}

const platformsOf = (game: Named): number =>
  (game.live_platform_id === null ? 0 : LIVE_PLATFORM) | (game.video_platform_id === null ? 0 : VIDEO_PLATFORM);
