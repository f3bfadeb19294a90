import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { CounterEntity } from '../../database/counter.entity.js';
import { Database } from '../../database/database.js';
import type { KeysetList } from '../../database/keyset.js';
import { RecordLoader } from '../../database/record-loader.js';
import { compareBytes } from '../../model/byte-order.js';
import type { GamePlatform } from '../../model/platforms.js';
import { GameEntity } from './game.entity.js';
import { buildNameIndex, type NamedGame } from './name-index.builder.js';
import type { NameIndex } from './name-index.js';
import { matches, nameWords, queryWords, wholeNameQuery, wholeNameWords, type QueryWord } from './search-words.mjs';

/** Rows per read while the index is built, few enough to answer other requests in between. */
const BUILD_PAGE = 1000;

/** Number of changed games, which each search scans, above which the index is rebuilt in the background. */
const REBUILD_AT = 500;

/** Number of changed games above which searches wait for the rebuild. */
const MAX_CHANGED = 5000;

/** Last member of every stored game, which search results omit. */
const RATING_COUNT = Buffer.from(',"total_rating_count":');
const END = Buffer.from('}');

/** Index word per platform. It cannot collide with words of names and queries, which have only letters and digits. */
const PLATFORM_TAGS = { live_platform: '#live', video_platform: '#video' };

const NAME_COLUMNS = ['num', 'name', 'live_platform_id', 'video_platform_id'] as const;
type NameRow = Pick<GameEntity, (typeof NAME_COLUMNS)[number]>;

const RESULT_COLUMNS = ['unpopularity', 'name', 'id', 'document'] as const;
type ResultRow = Pick<GameEntity, (typeof RESULT_COLUMNS)[number]>;

interface ChangedGame {
  readonly revision: number;
  readonly words: readonly string[];
}

/** In-memory search for games. Each search reads the store's revision, so it finds games that other processes just imported. */
@Injectable()
export class GameSearch implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #revisions: RecordLoader<CounterEntity, 'name', 'value'>;
  readonly #games: RecordLoader<GameEntity, 'num', keyof ResultRow>;
  readonly #byPopularity: KeysetList<NameRow & Pick<GameEntity, 'unpopularity' | 'id'>, 'unpopularity' | 'name' | 'id'>;
  readonly #byRevision: KeysetList<NameRow & Pick<GameEntity, 'revision'>, 'revision' | 'num'>;
  readonly #shutdown = new AbortController();
  #index: NameIndex | null = null;
  #changed = new Map<number, ChangedGame>();
  /** Revision up to which the index and the changed games are complete. */
  #revision = 0;
  #refreshing: Promise<void> | null = null;
  #rebuilding: Promise<void> | null = null;

  constructor(private readonly database: Database) {
    const primaryRead = { source: 'primary' } as const;
    this.#revisions = new RecordLoader(
      database,
      { entity: CounterEntity, group: null, id: 'name', columns: ['value'] },
      primaryRead,
    );
    this.#games = new RecordLoader(
      database,
      { entity: GameEntity, group: null, id: 'num', columns: RESULT_COLUMNS },
      primaryRead,
    );
    const names = { entity: GameEntity, filters: [], columns: NAME_COLUMNS } as const;
    this.#byPopularity = database.list({ ...names, keys: ['unpopularity', 'name', 'id'] });
    this.#byRevision = database.list({ ...names, keys: ['revision', 'num'] });
  }

  /** Builds the index at the start, so that the first search does not wait. If it fails, the next search retries. */
  onApplicationBootstrap(): void {
    this.#refreshUntilCurrent().catch(() => undefined);
  }

  onModuleDestroy(): void {
    this.#shutdown.abort();
  }

  /** Searches games. @param isExact whether only games of exactly this name match
   * @returns the documents of at most `limit` games, ordered by rating count, name and ID */
  async find(text: string, platform: GamePlatform | null, limit: number, isExact = false): Promise<Buffer[]> {
    const words = isExact ? parseExactQuery(text) : queryWords(text);
    if (words.length === 0) return [];
    if (platform !== null) words.push({ joined: PLATFORM_TAGS[platform], parts: [PLATFORM_TAGS[platform]] });
    await this.#refreshUntilCurrent();
    // No await between these two lines: a rebuild that ends in between would move games from the changes to a new index.
    const numbers = this.#index?.search(words, limit, this.#changed) ?? [];
    for (const [num, game] of this.#changed) if (matches(words, game.words)) numbers.push(num);
    if (numbers.length === 0) return [];
    const found = await this.#games.findMany(null, numbers.map(String));
    const games = found.filter((game) => game !== null).sort(compareResults);
    return games.slice(0, limit).map((game) => withoutRatingCount(game.document));
  }

  /** Resolves when the index is as recent as the store. */
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
      // Not awaited: searches use the old index meanwhile. If it fails, the next refresh retries.
      this.#rebuild().catch(() => undefined);
    }
  }

  /** Reads the games that changed since the last refresh. @returns false if there are too many */
  async #addChanges(): Promise<boolean> {
    const latest = await this.#latestRevision();
    const capacity = MAX_CHANGED - this.#changed.size;
    const request = { filters: [], from: this.#revision + 1, limit: capacity };
    const games = await this.database.page(this.#byRevision, request, 'primary');
    if (games.length > capacity) return false;
    for (const game of games) {
      const { num, name, tags } = namedGame(game);
      this.#changed.set(num, {
        revision: game.revision,
        words: [...nameWords(name), ...wholeNameWords(name), ...tags],
      });
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
    this.#index = await buildNameIndex(this.#pagesByPopularity(), this.#shutdown.signal);
    for (const [num, game] of this.#changed) if (game.revision <= revision) this.#changed.delete(num);
    this.#revision = Math.max(revision, this.#revision);
  }

  async *#pagesByPopularity(): AsyncGenerator<NamedGame[]> {
    for await (const page of this.database.pages(this.#byPopularity, { filters: [], limit: BUILD_PAGE })) {
      yield page.map(namedGame);
      await nextTurn(); // reads of the embedded database are synchronous, so let other requests run
    }
  }
}

function parseExactQuery(text: string): QueryWord[] {
  const word = wholeNameQuery(text);
  return word === null ? [] : [word];
}

function namedGame({ num, name, live_platform_id, video_platform_id }: NameRow): NamedGame {
  const tags: string[] = [];
  if (live_platform_id !== null) tags.push(PLATFORM_TAGS.live_platform);
  if (video_platform_id !== null) tags.push(PLATFORM_TAGS.video_platform);
  return { num, name, tags };
}

function compareResults(a: ResultRow, b: ResultRow): number {
  return a.unpopularity - b.unpopularity || compareBytes(a.name, b.name) || compareBytes(a.id, b.id);
}

function withoutRatingCount(document: Buffer): Buffer {
  return Buffer.concat([document.subarray(0, document.lastIndexOf(RATING_COUNT)), END]);
}
