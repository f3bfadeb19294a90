import type { Segment } from './segments/segment.mjs';
import { setBit } from './segments/postings.mjs';
import type { Postings } from './segments/term-table.mjs';
import { fillRange, intersect, unite, type ScratchBitmaps } from './scratch-bitmaps.js';

/** Set of the profiles of a segment. */
export interface Condition {
  /** Maximum number of profiles, to evaluate the most selective condition first. */
  readonly estimate: number;
  /** Writes a block of the set's bitmap. @param fromWord position of the block
   * @returns false if the block has none of the profiles; the target is then undefined */
  fill(target: Uint32Array, fromWord: number): boolean;
  /** Leaves out of a block what is not in the set, if that can be cheaper than `fill`. @returns false if nothing remains */
  restrict?(block: Uint32Array, fromWord: number): boolean;
}

/** A term of a segment: the ranks of its profiles, or where its bitmap is, which is read by blocks. */
export type Term = Uint32Array | Postings;

/** Ranks up to which a set is a list. A block that has none of them costs only a binary search. */
const MAX_LISTED = 1024;

/** Profiles of a few ranks. */
class RankList implements Condition {
  readonly estimate: number;

  /** @param ranks in ascending order */
  constructor(private readonly ranks: Uint32Array) {
    this.estimate = ranks.length;
  }

  fill(target: Uint32Array, fromWord: number): boolean {
    const { ranks } = this;
    const [first, end] = [fromWord * 32, (fromWord + target.length) * 32];
    let at = countRanks(ranks.length, (index) => (ranks[index] as number) < first);
    if (at === ranks.length || (ranks[at] as number) >= end) return false;
    target.fill(0);
    for (; at < ranks.length && (ranks[at] as number) < end; at++) setBit(target, (ranks[at] as number) - first);
    return true;
  }
}

/** Profiles of many ranks. */
class RankBitmap implements Condition {
  constructor(
    private readonly bitmap: Uint32Array,
    readonly estimate: number,
  ) {}

  fill(target: Uint32Array, fromWord: number): boolean {
    target.set(this.bitmap.subarray(fromWord, fromWord + target.length));
    return true;
  }
}

/** Returns the profiles of terms that are stored as lists. */
function unionOf(lists: readonly Uint32Array[], segment: Segment, scratch: ScratchBitmaps): Condition {
  const total = lists.reduce((sum, { length }) => sum + length, 0);
  if (total <= MAX_LISTED) {
    const ranks = new Uint32Array(total);
    let at = 0;
    for (const list of lists) {
      ranks.set(list, at);
      at += list.length;
    }
    return new RankList(ranks.sort());
  }
  const bitmap = scratch.acquire(Math.ceil(segment.count / 32)).fill(0);
  for (const list of lists) for (let at = 0; at < list.length; at++) setBit(bitmap, list[at] as number);
  return new RankBitmap(bitmap, total);
}

/** Profiles with any of some terms. */
export class AnyOf implements Condition {
  readonly estimate: number;
  /** Profiles of the terms that are lists. */
  readonly #listed: Condition;
  readonly #bitmaps: readonly Postings[];

  constructor(
    private readonly segment: Segment,
    private readonly scratch: ScratchBitmaps,
    terms: readonly Term[],
  ) {
    const lists = terms.filter((term) => term instanceof Uint32Array);
    this.#listed = unionOf(lists, segment, scratch);
    this.#bitmaps = terms.filter((term): term is Postings => !(term instanceof Uint32Array));
    this.estimate = this.#bitmaps.reduce((total, { count }) => total + count, this.#listed.estimate);
  }

  fill(target: Uint32Array, fromWord: number): boolean {
    let hasAny = this.#listed.fill(target, fromWord);
    const part = hasAny || this.#bitmaps.length > 1 ? this.scratch.acquire(target.length) : target;
    for (const { offset } of this.#bitmaps) {
      this.segment.readBits(offset, fromWord, hasAny ? part : target);
      if (hasAny) unite(target, part);
      hasAny = true;
    }
    return hasAny;
  }
}

/** Profiles that meet all of some conditions. */
export class AllOf implements Condition {
  readonly estimate: number;
  readonly #conditions: readonly Condition[];

  constructor(
    conditions: readonly Condition[],
    private readonly scratch: ScratchBitmaps,
  ) {
    this.#conditions = conditions.toSorted((a, b) => a.estimate - b.estimate);
    this.estimate = Math.min(...conditions.map(({ estimate }) => estimate));
  }

  fill(target: Uint32Array, fromWord: number): boolean {
    const part = this.scratch.acquire(target.length);
    return this.#conditions.every((condition, index) => {
      if (index === 0) return condition.fill(target, fromWord);
      return condition.fill(part, fromWord) && intersect(target, part);
    });
  }
}

/** Profiles that meet one of two conditions. */
export class Either implements Condition {
  readonly estimate: number;

  constructor(
    private readonly first: Condition,
    private readonly second: Condition,
    private readonly scratch: ScratchBitmaps,
  ) {
    this.estimate = first.estimate + second.estimate;
  }

  fill(target: Uint32Array, fromWord: number): boolean {
    if (!this.first.fill(target, fromWord)) return this.second.fill(target, fromWord);
    const part = this.scratch.acquire(target.length);
    if (this.second.fill(part, fromWord)) unite(target, part);
    return true;
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

  fill(target: Uint32Array, fromWord: number): boolean {
    const first = fromWord * 32;
    if (this.from >= first + target.length * 32 || this.to <= first) return false;
    fillRange(target, first, this.from, this.to);
    return true;
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
