import { Injectable } from '@nestjs/common';
import { ApiError, serviceUnavailable } from '../../http/errors/api-error.js';
import { decodeCursor, encodeCursor } from '../../http/paging/cursor.js';
import { FairQueue, type FairQueueLimits } from '../../http/traffic/fair-queue.js';
import { DurationHistogram } from '../../model/duration-histogram.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import { queryWords } from '../games/search-words.mjs';
import { ProfilesQueries } from '../profiles/profiles.queries.js';
import { IndexFeeds } from './index-feeds.js';
import { IndexFollower } from './index-follower.js';
import { IndexReader } from './index-reader.js';
import { parseCriteria, revealedBy } from './search-filters.js';
import type { ProfileSearchRequest } from './search.requests.js';
import type { Criteria, Facet, FacetCount, SearchHit, SearchQuery } from './search-query.js';
import type { SearchResult, SearchView } from './search-view.js';

/** Time for which a request waits for an index that is being built or updated. */
const WAIT_MS = 2500;

/** Searches at a time. More would not be faster, and each holds bitmaps of all creators. */
const LIMITS: FairQueueLimits = { maxRunning: 32, maxRunningPerOwner: 16, maxCalls: 256 };

/** Members of profiles that a text reveals. Handles cannot be hidden. */
const SEARCHED = ['display_name', 'description'];

/** Found creators, and what is known of the whole result if it was asked for. */
export interface SearchResultPage {
  readonly documents: readonly Buffer[];
  readonly nextCursor: string | null;
  readonly count: number | null;
  readonly facets: Readonly<Partial<Record<Facet, readonly FacetCount[]>>>;
}

/** Who searches. */
export interface SearchCaller {
  readonly keyId: string;
  /** Members that the key's policy hides. */
  readonly hidden: ReadonlySet<string> | null;
}

interface CreatorHit {
  readonly hit: SearchHit;
  readonly document: Buffer;
}

/** Searches for creators. The index finds them; their documents are read from the store. */
@Injectable()
export class CreatorSearch {
  /** Durations of searches, with the wait for the index. */
  readonly durations = new DurationHistogram();
  readonly #queue = new FairQueue(LIMITS);

  constructor(
    private readonly profiles: ProfilesQueries,
    private readonly feeds: IndexFeeds,
    private readonly follower: IndexFollower,
    private readonly reader: IndexReader,
  ) {}

  /** Finds creators, when it is the key's turn.
   * @throws ApiError 400 for invalid filters, a hidden member or a cursor of another search, 503 without an index or a turn */
  async find(
    platform: Platform,
    request: ProfileSearchRequest,
    { keyId, hidden }: SearchCaller,
  ): Promise<SearchResultPage> {
    const startedAt = performance.now();
    const { sort, order, cursor } = request;
    const query: SearchQuery = {
      words: request.text === undefined ? null : queryWords(request.text),
      filters: parseCriteria(request.filters, 'filters'),
      not: parseCriteria(request.not, 'not'),
      excludedIds: [...new Set(request.exclude_ids)],
      sort,
      order,
    };
    if (hidden !== null) requireVisible(request, query, hidden);
    const scope = { list: 'profiles.search', scope: [platformCode(platform)], sort, order };
    const after = cursor === undefined ? null : decodeCursor(cursor, scope);
    // Opens the index in its turn, because the files of a replaced one stay open for a while only.
    const find = async () => this.#findPage(await this.#openView(), platform, query, request, after);
    // No time limit: the number of searches that wait is bounded, and so is the time of each.
    const { found, count, facets } = await this.#queue.run(keyId, null, find);
    // A cursor beyond the last creator, which a client may make up, must not give them without the credits of a creator.
    const isBeyondEnd = after !== null && found.length === 0;
    const last = found.length > request.limit ? found[request.limit - 1] : undefined;
    this.durations.observe(performance.now() - startedAt);
    return {
      documents: found.slice(0, request.limit).map(({ document }) => document),
      nextCursor: last === undefined ? null : encodeCursor(scope, last.hit),
      count: isBeyondEnd ? null : count,
      facets: isBeyondEnd ? {} : facets,
    };
  }

  /** Returns an index that is as recent as possible. @throws ApiError 503 */
  async #openView(): Promise<SearchView> {
    const state = await this.feeds.readState();
    if (this.reader.isBehind(state)) await this.follower.waitFor(state, WAIT_MS);
    const view = this.reader.current();
    // The folder may be that of another store, whose index another process writes.
    if (view !== null && view.manifest.store !== state.store) throw serviceUnavailable();
    if (view === null || (this.follower.isStale && this.reader.isBehind(state))) throw serviceUnavailable();
    return view;
  }

  /** Finds one creator more than the limit if there are more. Deleted creators are still in the index for a moment. */
  async #findPage(
    view: SearchView,
    platform: Platform,
    query: SearchQuery,
    { limit, count: isCounted, facets: asked = [] }: ProfileSearchRequest,
    start: SearchHit | { value: number; id: string } | null,
  ): Promise<Pick<SearchResultPage, 'count' | 'facets'> & { found: CreatorHit[] }> {
    const facets = [...new Set(asked)];
    if (query.words?.length === 0) {
      return { found: [], count: isCounted ? 0 : null, facets: Object.fromEntries(facets.map((name) => [name, []])) };
    }
    const found: CreatorHit[] = [];
    let whole: Pick<SearchResultPage, 'count' | 'facets'> | null = null;
    for (let after = start; ;) {
      const wanted = limit + 1 - found.length;
      const isFirst = whole === null;
      const page = { after, limit: wanted };
      const result = await this.#search(view, platform, query, page, isCounted && isFirst, isFirst ? facets : []);
      whole ??= { count: result.count, facets: result.facets };
      found.push(...(await this.#readCreators(platform, result.hits)));
      after = result.hits.at(-1) ?? null;
      if (found.length > limit || result.hits.length < wanted) return { found, ...whole };
    }
  }

  /** @throws ApiError 503 if the files of the index were damaged since they were opened */
  async #search(view: SearchView, ...search: Parameters<SearchView['search']>): Promise<SearchResult> {
    try {
      return await view.search(...search);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      this.follower.doubt(error as Error, this.reader.current() === view);
      throw serviceUnavailable();
    }
  }

  async #readCreators(platform: Platform, hits: readonly SearchHit[]): Promise<CreatorHit[]> {
    if (hits.length === 0) return [];
    const { documents, missing } = await this.profiles.findMany(
      platform,
      hits.map(({ id }) => id),
    );
    const deleted = new Set(missing);
    const present = hits.filter(({ id }) => !deleted.has(id));
    return documents.flatMap((document, index) => {
      const hit = present[index];
      return hit === undefined ? [] : [{ hit, document }];
    });
  }
}

/** Rejects a text, filter or facet that would reveal a hidden member. @throws ApiError 400 */
function requireVisible(
  { facets = [] }: ProfileSearchRequest,
  { words, filters, not }: SearchQuery,
  hidden: ReadonlySet<string>,
): void {
  const require = (members: readonly string[], parameter: string) => {
    const member = members.find((name) => hidden.has(name));
    if (member !== undefined) throw new ApiError('member_hidden', `${member} is hidden from this key`, { parameter });
  };
  if (words !== null) require(SEARCHED, 'text');
  for (const [name, criteria] of Object.entries({ filters, not })) {
    for (const { attribute, values } of criteria.values) require(revealed(attribute, values), `${name}.${attribute}`);
  }
  for (const facet of facets) require(revealedBy(facet), 'facets');
}

function revealed(attribute: Criteria['values'][number]['attribute'], values: readonly string[]): readonly string[] {
  // `has` reveals only whether a document exists. Only the value `email` is a member that a policy may hide.
  return attribute === 'has' ? values : revealedBy(attribute);
}
