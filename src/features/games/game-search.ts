import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { CounterEntity } from '../../database/counter.entity.js';
import { Database } from '../../database/database.js';
import type { KeysetList } from '../../database/keyset.js';
import { RecordLoader } from '../../database/record-loader.js';
import type { GamePlatform } from '../../model/platforms.js';
import { GameEntity } from './game.entity.js';
import { buildNameIndex, type NamedGame } from './name-index.builder.js';
import type { NameIndex } from './name-index.js';
import { matches, nameWords, queryWords } from './search-words.mjs';

/** Rows read at once while the index is built: few enough for other requests to be answered in between. */
const BUILD_PAGE = 1000;

/** Changed games are scanned one by one; from this many on, the index is rebuilt in the background... */
const REBUILD_AT = 500;

/** ...and beyond this many, searches wait for the rebuild. */
const MAX_CHANGED = 5000;

/** The member that ends every stored game, and that search results do not have. */
const RATING_COUNT = Buffer.from(',"total_rating_count":');
const END = Buffer.from('}');

/** Index words for the platforms a game is on. Words of names and queries have letters and digits only. */
const PLATFORM_TAGS = { live_platform: '#live', video_platform: '#video' };

const NAMED = ['num', 'name', 'live_platform_id', 'video_platform_id'] as const;
type Named = Pick<GameEntity, (typeof NAMED)[number]>;

const RESULT = ['unpopularity', 'name', 'id', 'document'] as const;
type Result = Pick<GameEntity, (typeof RESULT)[number]>;

interface ChangedGame {
  readonly revision: number;
  readonly words: readonly string[];
}

/** Game search in memory. Each search reads the store's revision, so imports by other processes are found at once. */
@Injectable()
export class GameSearch implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #revisions: RecordLoader<CounterEntity, 'name', 'value'>;
  readonly #games: RecordLoader<GameEntity, 'num', keyof Result>;
  readonly #byPopularity: KeysetList<Named & Pick<GameEntity, 'unpopularity' | 'id'>, 'unpopularity' | 'name' | 'id'>;
  readonly #byRevision: KeysetList<Named & Pick<GameEntity, 'revision'>, 'revision' | 'num'>;
  readonly #closing = new AbortController();
  #index: NameIndex | null = null;
  #changed = new Map<number, ChangedGame>();
  /** The revision up to which index and changes together are complete. */
  #revision = 0;
  #refreshing: Promise<void> | null = null;
  #rebuilding: Promise<void> | null = null;

  constructor(private readonly database: Database) {
    const fresh = { recency: 'fresh' } as const;
    this.#revisions = new RecordLoader(
      database,
      { entity: CounterEntity, group: null, id: 'name', columns: ['value'] },
      fresh,
    );
    this.#games = new RecordLoader(database, { entity: GameEntity, group: null, id: 'num', columns: RESULT }, fresh);
    const names = { entity: GameEntity, filters: [], columns: NAMED } as const;
    this.#byPopularity = database.list({ ...names, keys: ['unpopularity', 'name', 'id'] });
    this.#byRevision = database.list({ ...names, keys: ['revision', 'num'] });
  }

  /** Builds the index at start, so that the first search need not wait; if it fails, a search rebuilds. */
  onApplicationBootstrap(): void {
    this.#refreshUntilCurrent().catch(() => undefined);
  }

  onModuleDestroy(): void {
    this.#closing.abort();
  }

  /** @returns the documents of at most `limit` games, by rating count, name and ID */
  async find(text: string, platform: GamePlatform | null, limit: number): Promise<Buffer[]> {
    const words = queryWords(text);
    if (words.length === 0) return [];
    if (platform !== null) words.push({ joined: PLATFORM_TAGS[platform], parts: [PLATFORM_TAGS[platform]] });
    await this.#refreshUntilCurrent();
    // Both read in one step: a rebuild that ends in between would take games from the changes into a newer index.
    const numbers = this.#index?.search(words, limit, this.#changed) ?? [];
    for (const [num, game] of this.#changed) if (matches(words, game.words)) numbers.push(num);
    if (numbers.length === 0) return [];
    const found = await this.#games.findMany(null, numbers.map(String));
    const games = found.filter((game) => game !== null).sort(inOrderOfResults);
    return games.slice(0, limit).map((game) => withoutRatingCount(game.document));
  }

  /** Resolves once there is an index, up to date with the store. */
  async #refreshUntilCurrent(): Promise<void> {
    const latest = await this.#latestRevision();
    while (this.#index === null || this.#revision < latest) {
      this.#refreshing ??= this.#refresh().finally(() => (this.#refreshing = null));
      await this.#refreshing;
    }
  }

  async #latestRevision(): Promise<number> {
    return (await this.#revisions.find(null, 'games_revision'))?.value ?? 0;
  }

  async #refresh(): Promise<void> {
    if (this.#index === null || !(await this.#addChanges())) await this.#rebuild();
    if (this.#changed.size > REBUILD_AT) {
      // Not awaited: searches use the old index. If it fails, the next refresh retries.
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
      const { num, name, tags } = namedGame(game);
      this.#changed.set(num, { revision: game.revision, words: [...nameWords(name), ...tags] });
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
    this.#index = await buildNameIndex(this.#pagesByPopularity(), this.#closing.signal);
    for (const [num, game] of this.#changed) if (game.revision <= revision) this.#changed.delete(num);
    this.#revision = Math.max(revision, this.#revision);
  }

  async *#pagesByPopularity(): AsyncGenerator<NamedGame[]> {
    for await (const page of this.database.pages(this.#byPopularity, { filters: [], limit: BUILD_PAGE })) {
      yield page.map(namedGame);
      await nextTurn(); // the embedded database answers without leaving the turn
    }
  }
}

function namedGame({ num, name, live_platform_id, video_platform_id }: Named): NamedGame {
  const tags: string[] = [];
  if (live_platform_id !== null) tags.push(PLATFORM_TAGS.live_platform);
  if (video_platform_id !== null) tags.push(PLATFORM_TAGS.video_platform);
  return { num, name, tags };
}

function inOrderOfResults(a: Result, b: Result): number {
  return a.unpopularity - b.unpopularity || byBytes(a.name, b.name) || byBytes(a.id, b.id);
}

/** UTF-8 byte order, as the database sorts; JavaScript compares UTF-16 units. */
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function withoutRatingCount(document: Buffer): Buffer {
  return Buffer.concat([document.subarray(0, document.lastIndexOf(RATING_COUNT)), END]);
}
