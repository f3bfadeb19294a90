import { ConditionFactory } from './conditions.js';
import { countRanks, RankRange, type Condition } from './rank-sets.js';
import { BLOCK_WORDS, fillRange, intersect, subtract, type ScratchBitmaps } from './scratch-bitmaps.js';
import type { Criteria, SearchHit, SearchPosition, SearchQuery } from './search-query.js';
import { countBits, hasBit } from './segments/postings.mjs';
import type { Segment } from './segments/segment.mjs';

/** Results up to this number are sorted by activity; more are found in the order of activity. */
const MAX_SORTED = 256;

/** Ranks per read of the order of activity. */
const ORDER_CHUNK = 4096;

/** IDs that are looked up in one step. */
const IDS_PER_STEP = 32;

/** The conditions of a query. */
interface Conditions {
  /** Ranks that the bounds of followers leave. */
  readonly bounds: RankRange;
  readonly required: readonly Condition[];
  readonly excluded: readonly Condition[];
}

/** Query over one segment, in steps of bounded work between which other requests may run. */
export class SegmentSearch {
  private constructor(
    private readonly segment: Segment,
    private readonly dead: Uint32Array | null,
    private readonly query: SearchQuery,
    private readonly scratch: ScratchBitmaps,
    private readonly conditions: Conditions,
  ) {}

  /** Reads the terms of a query. @param dead profiles that were replaced or deleted; null for none
   * @param scratch belongs to this query until it has ended */
  static *create(
    segment: Segment,
    dead: Uint32Array | null,
    query: SearchQuery,
    scratch: ScratchBitmaps,
  ): Generator<void, SegmentSearch> {
    const create = new ConditionFactory(segment, scratch);
    const { filters, not, words } = query;
    const hasFollowers = ({ followers }: Criteria) =>
      followers === null ? null : create.hasFollowers(followers.min, followers.max);
    const required: Condition[] = [];
    for (const word of words ?? []) {
      required.push(create.matchesWord(word));
      yield;
    }
    required.push(...(yield* conditionsOf(create, filters)));
    const excluded = yield* conditionsOf(create, not);
    const unwanted = hasFollowers(not);
    return new SegmentSearch(segment, dead, query, scratch, {
      bounds: hasFollowers(filters) ?? new RankRange(0, segment.count),
      required: required.sort((a, b) => a.estimate - b.estimate),
      excluded: unwanted === null ? excluded : [...excluded, unwanted],
    });
  }

  /** Finds the first creators after a position; null begins at the beginning. @param matched result of `matchAll`, if known */
  *find(after: SearchPosition | null, limit: number, matched: Uint32Array | null): Generator<void, SearchHit[]> {
    if (this.query.sort !== 'last_active_at') return yield* this.#findByFollowers(after, limit, matched);
    return yield* this.#findByActivity(after, limit, matched ?? (yield* this.matchAll()));
  }

  /** Evaluates the query for all profiles. @returns a bitmap of ranks, valid until the scratch bitmaps are released */
  *matchAll(): Generator<void, Uint32Array> {
    const matched = this.scratch.acquire(Math.ceil(this.segment.count / 32));
    for (let word = 0; word < matched.length; word += BLOCK_WORDS) {
      this.#evaluate(matched.subarray(word, word + BLOCK_WORDS), word, this.conditions.bounds);
      yield;
    }
    for (const [index, id] of this.query.excludedIds.entries()) {
      const rank = this.segment.rankOf(Buffer.from(id));
      if (rank !== -1) matched[rank >>> 5] = (matched[rank >>> 5] as number) & ~(1 << (rank & 31));
      if (index % IDS_PER_STEP === 0) yield;
    }
    return matched;
  }

  /** Writes the results of a block. @returns false if it has none */
  #evaluate(block: Uint32Array, fromWord: number, { from, to }: RankRange): boolean {
    fillRange(block, fromWord * 32, from, to);
    if ((fromWord + block.length) * 32 <= from || fromWord * 32 >= to) return false;
    const mark = this.scratch.mark();
    const part = this.scratch.acquire(block.length);
    const hasResults =
      this.conditions.required.every((condition) => {
        if (condition.restrict !== undefined) return condition.restrict(block, fromWord);
        return condition.fill(part, fromWord) && intersect(block, part);
      }) &&
      this.conditions.excluded.every((condition) => !condition.fill(part, fromWord) || subtract(block, part)) &&
      (this.dead === null || subtract(block, this.dead.subarray(fromWord, fromWord + block.length)));
    this.scratch.releaseTo(mark);
    if (!hasResults) block.fill(0);
    return hasResults;
  }

  *#findByFollowers(
    after: SearchPosition | null,
    limit: number,
    matched: Uint32Array | null,
  ): Generator<void, SearchHit[]> {
    const bounds = after === null ? this.conditions.bounds : this.#boundsAfter(after);
    const hits: SearchHit[] = [];
    const excluded = new Set(this.query.excludedIds);
    const block = this.scratch.acquire(BLOCK_WORDS);
    const words = Math.ceil(this.segment.count / 32);
    const blocks = Math.ceil(words / BLOCK_WORDS);
    const isDescending = this.query.order === 'desc';
    for (let index = 0; index < blocks && hits.length < limit; index++) {
      if (index > 0) yield;
      const fromWord = (isDescending ? index : blocks - 1 - index) * BLOCK_WORDS;
      const part = block.subarray(0, Math.min(BLOCK_WORDS, words - fromWord));
      if (matched === null) {
        if (!this.#evaluate(part, fromWord, bounds)) continue;
      } else {
        fillRange(part, fromWord * 32, bounds.from, bounds.to);
        if (!intersect(part, matched.subarray(fromWord, fromWord + part.length))) continue;
      }
      for (const rank of bitsOf(part, fromWord * 32, isDescending)) {
        const hit = this.#hitAt(rank, this.segment.followersAt(rank));
        if (excluded.has(hit.id)) continue;
        hits.push(hit);
        if (hits.length === limit) break;
      }
    }
    return hits;
  }

  /** Returns the ranks after a position, in the order of the query. */
  #boundsAfter({ value, id }: SearchPosition): RankRange {
    const bytes = Buffer.from(id);
    const { segment } = this;
    const before = countRanks(segment.count, (rank) => {
      const followers = segment.followersAt(rank);
      return followers > value || (followers === value && Buffer.compare(segment.idAt(rank), bytes) > 0);
    });
    const { from, to } = this.conditions.bounds;
    if (this.query.order === 'asc') return new RankRange(from, Math.min(to, before));
    const isAt = before < segment.count && segment.followersAt(before) === value && segment.idAt(before).equals(bytes);
    return new RankRange(Math.max(from, isAt ? before + 1 : before), to);
  }

  *#findByActivity(after: SearchPosition | null, limit: number, matched: Uint32Array): Generator<void, SearchHit[]> {
    const isAfter = (hit: SearchHit) => after === null || compareHits(hit, toHit(after), this.query.order) > 0;
    if (countBits(matched) <= MAX_SORTED) {
      const all = Array.from(bitsOf(matched, 0, true), (rank) => this.#hitAt(rank, this.segment.lastActiveAt(rank)));
      return all
        .filter(isAfter)
        .sort((a, b) => compareHits(a, b, this.query.order))
        .slice(0, limit);
    }
    const hits: SearchHit[] = [];
    let looked = 0;
    for (const rank of this.#ranksByActivity(after)) {
      if (++looked % ORDER_CHUNK === 0) yield;
      if (!hasBit(matched, rank)) continue;
      const hit = this.#hitAt(rank, this.segment.lastActiveAt(rank));
      if (!isAfter(hit)) continue;
      hits.push(hit);
      if (hits.length === limit) break;
    }
    return hits;
  }

  /** Yields ranks in the order of activity, from a position on. */
  *#ranksByActivity(after: SearchPosition | null): Generator<number> {
    const { segment } = this;
    const one = new Uint32Array(1);
    const isBefore = ({ value, id }: SearchPosition) => {
      const bytes = Buffer.from(id);
      return (place: number) => {
        segment.readByActivity(place, one);
        const [rank = 0] = one;
        const active = segment.lastActiveAt(rank);
        return active > value || (active === value && Buffer.compare(segment.idAt(rank), bytes) > 0);
      };
    };
    const isDescending = this.query.order === 'desc';
    const before = after === null ? (isDescending ? 0 : segment.count) : countRanks(segment.count, isBefore(after));
    for (let [from, to] = isDescending ? [before, segment.count] : [0, before]; from < to;) {
      const length = Math.min(ORDER_CHUNK, to - from);
      const ranks = new Uint32Array(length);
      segment.readByActivity(isDescending ? from : to - length, ranks);
      if (isDescending) from += length;
      else {
        to -= length;
        ranks.reverse();
      }
      yield* ranks;
    }
  }

  #hitAt(rank: number, value: number): SearchHit {
    const idBytes = this.segment.idAt(rank);
    return { value, id: idBytes.toString('utf8'), idBytes };
  }
}

/** Compares two results in the order of a query. */
export function compareHits(a: SearchHit, b: SearchHit, order: SearchQuery['order']): number {
  const ascending = a.value - b.value || Buffer.compare(a.idBytes, b.idBytes);
  return order === 'asc' ? ascending : -ascending;
}

const toHit = ({ value, id }: SearchPosition): SearchHit => ({ value, id, idBytes: Buffer.from(id) });

/** Creates the conditions but those on followers. */
function* conditionsOf(
  create: ConditionFactory,
  { values, lastActiveAfter }: Criteria,
): Generator<void, readonly Condition[]> {
  const conditions: Condition[] = lastActiveAfter === null ? [] : [create.activeAfter(lastActiveAfter)];
  for (const wanted of values) conditions.push(yield* create.hasValue(wanted.attribute, wanted.values));
  return conditions;
}

/** Yields the numbers of the bits of a block. @param firstBit number of its first bit */
function* bitsOf(block: Uint32Array, firstBit: number, lowestFirst: boolean): Generator<number> {
  for (let index = 0; index < block.length; index++) {
    const at = lowestFirst ? index : block.length - 1 - index;
    let word = block[at] as number;
    while (word !== 0) {
      const bit = lowestFirst ? 31 - Math.clz32(word & -word) : 31 - Math.clz32(word);
      yield firstBit + at * 32 + bit;
      word &= ~(1 << bit);
    }
  }
}
