import { UNKNOWN_SORT_VALUE } from '../../database/columns.js';
import type { QueryWord } from '../games/search-words.mjs';
import { countBits, PREFIX, setBit } from './segments/postings.mjs';
import type { Segment } from './segments/segment.mjs';
import type { Postings } from './segments/term-table.mjs';
import { indexedParts, valuePrefix, type Attribute } from './segments/terms.mjs';
import { BLOCK_WORDS, fillRange, intersect, unite, type ScratchBitmaps } from './scratch-bitmaps.js';

/** Set of the profiles of a segment. */
export interface Condition {
  /** Maximum number of profiles, to evaluate the most selective condition first. */
  readonly estimate: number;
  /** Writes a block of the set's bitmap. @param fromWord position of the block */
  fill(target: Uint32Array, fromWord: number): void;
  /** Leaves out of a block what is not in the set, if that can be cheaper than `fill`. @returns false if nothing remains */
  restrict?(block: Uint32Array, fromWord: number): boolean;
}

/** A term of a segment: the ranks of its profiles, or where its bitmap is, which is read by blocks. */
type Term = Uint32Array | Postings;

/** Profiles with any of some terms. */
class AnyOf implements Condition {
  readonly estimate: number;
  /** Profiles of the terms without a bitmap; null if there are none. */
  readonly #listed: Uint32Array | null;
  readonly #bitmaps: readonly Postings[];

  constructor(
    private readonly segment: Segment,
    private readonly scratch: ScratchBitmaps,
    terms: readonly Term[],
  ) {
    const lists = terms.filter((term) => term instanceof Uint32Array);
    this.#bitmaps = terms.filter((term): term is Postings => !(term instanceof Uint32Array));
    this.estimate = terms.reduce((total, term) => total + ('count' in term ? term.count : term.length), 0);
    this.#listed = lists.some(({ length }) => length > 0) ? scratch.acquire(Math.ceil(segment.count / 32)) : null;
    if (this.#listed === null) return;
    this.#listed.fill(0);
    for (const list of lists) for (let at = 0; at < list.length; at++) setBit(this.#listed, list[at] as number);
  }

  fill(target: Uint32Array, fromWord: number): void {
    if (this.#listed === null) target.fill(0);
    else target.set(this.#listed.subarray(fromWord, fromWord + target.length));
    const part = this.#bitmaps.length === 0 ? target : this.scratch.acquire(target.length);
    for (const { offset } of this.#bitmaps) {
      this.segment.readBits(offset, fromWord, part);
      unite(target, part);
    }
  }
}

/** Profiles that meet all of some conditions. */
class AllOf implements Condition {
  readonly estimate: number;

  constructor(
    private readonly conditions: readonly Condition[],
    private readonly scratch: ScratchBitmaps,
  ) {
    this.estimate = Math.min(...conditions.map(({ estimate }) => estimate));
  }

  fill(target: Uint32Array, fromWord: number): void {
    const part = this.scratch.acquire(target.length);
    for (const [index, condition] of this.conditions.entries()) {
      condition.fill(index === 0 ? target : part, fromWord);
      if (index > 0 && !intersect(target, part)) return;
    }
  }
}

/** Profiles that meet one of two conditions. */
class Either implements Condition {
  readonly estimate: number;

  constructor(
    private readonly first: Condition,
    private readonly second: Condition,
    private readonly scratch: ScratchBitmaps,
  ) {
    this.estimate = first.estimate + second.estimate;
  }

  fill(target: Uint32Array, fromWord: number): void {
    const part = this.scratch.acquire(target.length);
    this.first.fill(target, fromWord);
    this.second.fill(part, fromWord);
    unite(target, part);
  }
}

/** Up to this many profiles of a block, the activity of each is read alone. For more, reading the whole block is cheaper. */
const MAX_READ_ALONE = 128;

/** Last activity of a block. No query is interrupted while it uses it, so all share it. */
const blockActivity = new Float64Array(BLOCK_WORDS * 32);

/** Profiles whose last activity is at or after an instant. */
class ActiveAfter implements Condition {
  readonly estimate: number;

  constructor(
    private readonly segment: Segment,
    private readonly after: number,
  ) {
    this.estimate = segment.count;
  }

  restrict(block: Uint32Array, fromWord: number): boolean {
    const isWhole = countBits(block) > MAX_READ_ALONE;
    const values = isWhole ? this.#readActivity(block, fromWord) : null;
    let remaining = 0;
    for (let at = 0; at < block.length; at++) {
      let kept = block[at] as number;
      for (let word = kept; word !== 0; word &= word - 1) {
        const rank = at * 32 + 31 - Math.clz32(word & -word);
        const active = values === null ? this.segment.lastActiveAt(fromWord * 32 + rank) : (values[rank] as number);
        if (active < this.after) kept &= ~(1 << (rank & 31));
      }
      block[at] = kept;
      remaining |= kept;
    }
    return remaining !== 0;
  }

  fill(target: Uint32Array, fromWord: number): void {
    const values = this.#readActivity(target, fromWord);
    target.fill(0);
    for (let at = 0; at < values.length; at++) if ((values[at] as number) >= this.after) setBit(target, at);
  }

  #readActivity({ length }: Uint32Array, fromWord: number): Float64Array {
    const first = fromWord * 32;
    const values = blockActivity.subarray(0, Math.min(length * 32, this.segment.count - first));
    this.segment.readLastActive(first, values);
    return values;
  }
}

/** Profiles with ranks from `from` to before `to`. */
export class RankRange implements Condition {
  readonly estimate: number;

  constructor(
    readonly from: number,
    readonly to: number,
  ) {
    this.estimate = Math.max(0, to - from);
  }

  fill(target: Uint32Array, fromWord: number): void {
    fillRange(target, fromWord * 32, this.from, this.to);
  }
}

/** Distinct prefixes of a word. Only compatibility characters, one of which can stand for several words, make more. */
const MAX_PREFIXES = 200;

/** Creates the conditions of one query over one segment. */
export class ConditionFactory {
  /** Conditions by prefix, because the words of a query may share parts. */
  readonly #prefixes = new Map<string, Condition>();

  constructor(
    private readonly segment: Segment,
    private readonly scratch: ScratchBitmaps,
  ) {}

  /** Returns the profiles that have one of the values, in steps of one value: it may have thousands of spellings. */
  *hasValue(attribute: Attribute, values: readonly string[]): Generator<void, Condition> {
    const terms: Term[] = [];
    for (const prefix of new Set(values.map((value) => valuePrefix(attribute, value)))) {
      const spellings = Array.from(this.segment.sets.withPrefix(prefix), ([, postings]) => postings);
      for (const postings of spellings) terms.push(this.#readTerm(postings));
      yield;
    }
    return new AnyOf(this.segment, this.scratch, terms);
  }

  /** Returns the profiles that a word of a text matches. */
  matchesWord({ joined, parts }: QueryWord): Condition {
    const whole = this.#hasPrefixes(indexedParts(joined));
    if (parts.length === 1 && parts[0] === joined) return whole;
    return new Either(whole, this.#hasPrefixes(parts.flatMap(indexedParts)), this.scratch);
  }

  activeAfter(instant: number): Condition {
    return new ActiveAfter(this.segment, instant);
  }

  /** Returns the profiles whose followers are within inclusive bounds; null for no bound. */
  hasFollowers(min: number | null, max: number | null): RankRange {
    const { count } = this.segment;
    const lowest = min ?? UNKNOWN_SORT_VALUE + 1;
    return new RankRange(
      max === null ? 0 : countRanks(count, (rank) => this.segment.followersAt(rank) > max),
      countRanks(count, (rank) => this.segment.followersAt(rank) >= lowest),
    );
  }

  #hasPrefixes(prefixes: readonly string[]): Condition {
    const conditions: Condition[] = [];
    for (const prefix of [...new Set(prefixes)].slice(0, MAX_PREFIXES)) {
      const condition = this.#hasPrefix(prefix);
      // No profile meets all conditions if none meets this one.
      if (condition.estimate === 0) return condition;
      conditions.push(condition);
    }
    const [only] = conditions;
    return conditions.length === 1 && only !== undefined ? only : new AllOf(conditions, this.scratch);
  }

  #hasPrefix(prefix: string): Condition {
    let condition = this.#prefixes.get(prefix);
    if (condition === undefined) this.#prefixes.set(prefix, (condition = this.#findPrefix(prefix)));
    return condition;
  }

  #findPrefix(prefix: string): Condition {
    const frequent = this.segment.sets.find(PREFIX + prefix);
    const term =
      frequent === null ? this.segment.readRanks(this.segment.words.rangeOf(prefix)) : this.#readTerm(frequent);
    return new AnyOf(this.segment, this.scratch, [term]);
  }

  #readTerm(postings: Postings): Term {
    return postings.isBitmap ? postings : this.segment.readPostings(postings);
  }
}

/** Returns how many of the first ranks satisfy a condition, by binary search: no later rank may satisfy it. */
export function countRanks(size: number, satisfies: (rank: number) => boolean): number {
  let from = 0;
  let to = size;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (satisfies(middle)) from = middle + 1;
    else to = middle;
  }
  return from;
}
