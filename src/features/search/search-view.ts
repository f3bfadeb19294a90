import { join } from 'node:path';
import { FacetCounter } from './facet-counts.js';
import { FacetValues } from './facet-values.js';
import { readDead } from './segments/dead-file.mjs';
import type { Manifest, SegmentEntry } from './segments/index-folder.mjs';
import { countBits } from './segments/postings.mjs';
import { Segment } from './segments/segment.mjs';
import { ScratchPool, type ScratchBitmaps } from './scratch-bitmaps.js';
import { compareHits, SegmentSearch } from './segment-search.js';
import type { ReadableSegment } from './open-segment.js';
import type { Facet, FacetCount, SearchHit, SearchPosition, SearchQuery } from './search-query.js';
import { TimeSlices } from '../../http/traffic/time-slices.js';

/** Time for which replaced files stay open, because requests may still read them: longer than a search may take. */
const CLOSE_AFTER_MS = 30_000;

/** Owner of all searches: they are started in the turns of their keys already, a few at a time. */
const SEARCHES = 'searches';

/** What a request asks for beside the count and the facets. */
export interface SearchPageRequest {
  readonly after: SearchPosition | null;
  readonly limit: number;
}

/** Creators, and what is known of the whole result if it was asked for. */
export interface SearchResult {
  readonly hits: readonly SearchHit[];
  readonly count: number | null;
  readonly facets: Readonly<Partial<Record<Facet, readonly FacetCount[]>>>;
}

/** Opened index, as one manifest describes it. */
export class SearchView {
  readonly #platforms: ReadonlyMap<string, readonly ReadableSegment[]>;
  readonly #facets = new Map<string, FacetValues>();
  readonly #scratch: ScratchPool;
  readonly #slices: TimeSlices;

  /** Opens the files of a manifest, and takes over those that an earlier view has open.
   * @throws Error if a file is missing or damaged */
  constructor(
    folder: string,
    readonly manifest: Manifest,
    earlier: SearchView | null,
  ) {
    this.#scratch = earlier === null ? new ScratchPool() : earlier.#scratch;
    this.#slices = earlier === null ? new TimeSlices() : earlier.#slices;
    const known = new Map(earlier === null ? [] : earlier.#segments().map((open) => [open.entry.name, open]));
    const opened: Segment[] = [];
    const open = (entry: SegmentEntry): ReadableSegment => {
      const same = known.get(entry.name);
      let segment = same?.segment;
      if (segment === undefined) opened.push((segment = new Segment(join(folder, entry.name))));
      const isCurrent = same !== undefined && same.entry.dead === entry.dead;
      const dead = isCurrent ? same.dead : readDead(folder, entry.dead, entry.count);
      return { entry, segment, dead, values: same?.values ?? new Map() };
    };
    try {
      this.#platforms = new Map(
        Object.entries(manifest.platforms).map(([platform, entries]) => [platform, entries.map(open)]),
      );
    } catch (error) {
      for (const segment of opened) segment.close();
      throw error;
    }
  }

  /** Number of creators. */
  get documents(): number {
    return this.#segments().reduce((sum, { entry }) => sum + entry.count - entry.deadCount, 0);
  }

  /** Size of the files, in bytes. */
  get bytes(): number {
    return this.#segments().reduce((sum, { segment }) => sum + segment.size, 0);
  }

  /** Finds creators. @param facets attributes whose values are counted */
  async search(
    platform: string,
    query: SearchQuery,
    { after, limit }: SearchPageRequest,
    isCounted: boolean,
    facets: readonly Facet[],
  ): Promise<SearchResult> {
    // Begins only when it runs, so that a search that waits holds no bitmaps. Releases them as its last step: a search that is
    // not suspended leaves them to the next one of the same turn.
    const steps = function* (view: SearchView): Generator<void, SearchResult> {
      const scratch = view.#scratch.acquire();
      try {
        return yield* view.#find(platform, query, { after, limit }, isCounted, facets, scratch);
      } finally {
        view.#scratch.release(scratch);
      }
    };
    return this.#slices.run(steps(this), SEARCHES);
  }

  *#find(
    platform: string,
    query: SearchQuery,
    { after, limit }: SearchPageRequest,
    isCounted: boolean,
    facets: readonly Facet[],
    scratch: ScratchBitmaps,
  ): Generator<void, SearchResult> {
    const segments = this.#platforms.get(platform) ?? [];
    const hits: SearchHit[] = [];
    const matched: Uint32Array[] = [];
    for (const { segment, dead } of segments) {
      const search = yield* SegmentSearch.create(segment, dead, query, scratch);
      const all = isCounted || facets.length > 0 ? yield* search.matchAll() : null;
      if (all !== null) matched.push(all);
      hits.push(...(yield* search.find(after, limit, all)));
    }
    if (segments.length > 1) hits.sort((a, b) => compareHits(a, b, query.order));
    const count = matched.reduce((sum, bits) => sum + countBits(bits), 0);
    const found = { hits: hits.slice(0, limit), count: isCounted ? count : null };
    if (count === 0) return { ...found, facets: noValues(facets) };
    const values = new Map(facets.map((facet) => [facet, this.#facetValues(platform, facet)]));
    return { ...found, facets: yield* new FacetCounter(segments, matched, scratch).count(values) };
  }

  /** Closes the files that a later view does not use. @param later null closes all at once */
  close(later: SearchView | null): void {
    const kept = new Set(later === null ? [] : later.#segments().map(({ segment }) => segment));
    const closeAll = () => {
      for (const { segment } of this.#segments()) if (!kept.has(segment)) segment.close();
    };
    if (later === null) closeAll();
    else setTimeout(closeAll, CLOSE_AFTER_MS).unref();
  }

  #segments(): ReadableSegment[] {
    return [...this.#platforms.values()].flat();
  }

  #facetValues(platform: string, facet: Facet): FacetValues {
    const key = `${platform} ${facet}`;
    let values = this.#facets.get(key);
    if (values === undefined) {
      this.#facets.set(key, (values = new FacetValues(this.#platforms.get(platform) ?? [], facet)));
    }
    return values;
  }
}

const noValues = (facets: readonly Facet[]): SearchResult['facets'] =>
  Object.fromEntries(facets.map((facet) => [facet, []]));
