import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Database, Row, SqlValue } from '../../database/database.js';
import { DATABASE } from '../../database/database.token.js';
import { RecordLoader } from '../../database/record-loader.js';
import type { GameNamespace } from './games.queries.js';
import { buildNameIndex, type NamedGame } from './name-index.builder.js';
import type { NameIndex } from './name-index.js';
import { matches, nameWords, queryWords } from './search-words.mjs';

/** Rows read at once while the index is built: few enough for other requests to be answered in between. */
const BUILD_PAGE = 1000;

/** Changed games are looked through one by one: from the first number on a new index is made beside the requests... */
const REBUILD_AT = 500;

/** ...and beyond this one, searches wait for it. */
const MAX_CHANGED = 5000;

/** The member that ends every stored game, and that search results do not have. */
const RATING_COUNT = Buffer.from(',"total_rating_count":');
const END = Buffer.from('}');

/** Index words for the platforms a game is on. Words of names and queries have letters and digits only. */
const PLATFORM_TAGS = { live_platform: '#live', video_platform: '#video' };

interface ChangedGame {
  readonly revision: number;
  readonly words: readonly string[];
}

/**
 * Searches games by name in an index in memory. Every search asks the store for its revision, so that imports of other
 * processes are found at once: games changed since the index was built are kept beside it until it is rebuilt.
 */
@Injectable()
export class GameSearch implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #revisions: RecordLoader;
  readonly #games: RecordLoader;
  readonly #closing = new AbortController();
  #index: NameIndex | null = null;
  #changed = new Map<number, ChangedGame>();
  /** The revision up to which index and changes together are complete. */
  #revision = 0;
  #refreshing: Promise<void> | null = null;
  #rebuilding: Promise<void> | null = null;

  constructor(@Inject(DATABASE) private readonly database: Database) {
    this.#revisions = new RecordLoader(
      database,
      { table: 'counters', group: null, id: 'name', index: 'PRIMARY', columns: ['value'] },
      true,
    );
    const columns = ['unpopularity', 'name', 'id', 'document'];
    this.#games = new RecordLoader(
      database,
      { table: 'games', group: null, id: 'num', index: 'PRIMARY', columns },
      true,
    );
  }

  /** Indexes the names beside the first requests, so that the first search need not wait; if it fails, a search will. */
  onApplicationBootstrap(): void {
    this.#current().catch(() => undefined);
  }

  /** Ends the thread of a build under way. */
  onModuleDestroy(): void {
    this.#closing.abort();
  }

  /** @returns the documents of at most `limit` games, by rating count, name and ID */
  async find(text: string, platform: Exclude<GameNamespace, 'gamedb'> | null, limit: number): Promise<Buffer[]> {
    const words = queryWords(text);
    if (words.length === 0) return [];
    if (platform !== null) words.push({ joined: PLATFORM_TAGS[platform], parts: [PLATFORM_TAGS[platform]] });
    const index = await this.#current();
    const numbers = index.search(words, limit, this.#changed);
    for (const [num, game] of this.#changed) if (matches(words, game.words)) numbers.push(num);
    if (numbers.length === 0) return [];
    const found = await this.#games.findMany(null, numbers.map(String));
    const games = found.filter((game) => game !== null).sort(inOrderOfResults);
    return games.slice(0, limit).map((game) => withoutRatingCount(game[4] as Buffer));
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
    return Number((await this.#revisions.find(null, 'games_revision'))?.[1] ?? 0);
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
    const rows = await this.database.readFresh(
      `SELECT num, name, live_platform_id, video_platform_id, revision FROM games WHERE revision > ? ORDER BY revision, num LIMIT ${room + 1}`,
      [this.#revision],
    );
    if (rows.length > room) return false;
    for (const row of rows) {
      const { num, name, tags } = namedGame(row);
      this.#changed.set(num, { revision: Number(row[4]), words: [...nameWords(name), ...tags] });
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
    let last: Row | undefined;
    do {
      const rows = await this.#pageByPopularity(last);
      yield rows.map(namedGame);
      last = rows.length === BUILD_PAGE ? rows.at(-1) : undefined;
      await nextTurn(); // the embedded database answers without leaving the turn
    } while (last !== undefined);
  }

  #pageByPopularity(last: Row | undefined): Promise<Row[]> {
    const select = 'SELECT num, name, live_platform_id, video_platform_id, unpopularity, id FROM games';
    const order = `ORDER BY unpopularity, name, id LIMIT ${BUILD_PAGE}`;
    if (last === undefined) return this.database.readFresh(`${select} ${order}`, []);
    const [, name, , , unpopularity, id] = last as [number, string, unknown, unknown, number, string];
    if (this.database.dialect === 'sqlite') {
      return this.database.readFresh(`${select} WHERE (unpopularity, name, id) > (?, ?, ?) ${order}`, [
        unpopularity,
        name,
        id,
      ]);
    }
    const beyond = '(unpopularity > ? OR (unpopularity = ? AND (name > ? OR (name = ? AND id > ?))))';
    return this.database.readFresh(`${select} FORCE INDEX (games_by_popularity) WHERE ${beyond} ${order}`, [
      unpopularity,
      unpopularity,
      name,
      name,
      id,
    ]);
  }
}

/** @param row of number, name and the two platform IDs */
function namedGame([num, name, livePlatformId, videoPlatformId]: Row): NamedGame {
  const tags: string[] = [];
  if (livePlatformId !== null) tags.push(PLATFORM_TAGS.live_platform);
  if (videoPlatformId !== null) tags.push(PLATFORM_TAGS.video_platform);
  return { num: Number(num), name: String(name), tags };
}

/** Compares rows of [number, unpopularity, name, ID, document] as the database orders them. */
function inOrderOfResults(a: Row, b: Row): number {
  return Number(a[1]) - Number(b[1]) || byBytes(a[2], b[2]) || byBytes(a[3], b[3]);
}

/** In UTF-8, whose order differs from that of strings, which is by UTF-16 units. */
function byBytes(a: SqlValue | undefined, b: SqlValue | undefined): number {
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

function withoutRatingCount(document: Buffer): Buffer {
  return Buffer.concat([document.subarray(0, document.lastIndexOf(RATING_COUNT)), END]);
}
