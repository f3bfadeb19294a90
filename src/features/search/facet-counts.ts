import { compareBytes } from '../../model/byte-order.js';
import type { FacetValues, Spelling } from './facet-values.js';
import type { ReadableSegment } from './open-segment.js';
import { intersect, unite, type ScratchBitmaps } from './scratch-bitmaps.js';
import type { Facet, FacetCount } from './search-query.js';
import type { SegmentValues } from './segment-values.js';
import { countBits, countWord, hasBit, setBit } from './segments/postings.mjs';
import type { SequentialReader } from './segments/sequential-reader.mjs';
import type { Postings } from './segments/term-table.mjs';

/** Values of a facet that are returned. */
const MAX_VALUES = 20;

/** Values and ranks that a step reads. */
const STEP_SIZE = 8192;

/** Counts the facets of one result, in steps of bounded work between which other queries may run. */
export class FacetCounter {
  /** @param matched bitmap of the result in each segment */
  constructor(
    private readonly segments: readonly ReadableSegment[],
    private readonly matched: readonly Uint32Array[],
    private readonly scratch: ScratchBitmaps,
  ) {}

  /** Counts the most frequent values of facets. @returns for each facet the values with the most creators; ties by the bytes of the
   * value */
  *count(values: ReadonlyMap<Facet, FacetValues>): Generator<void, Partial<Record<Facet, FacetCount[]>>> {
    const counts: Partial<Record<Facet, FacetCount[]>> = {};
    for (const [facet, ofFacet] of values) {
      yield* ofFacet.prepare();
      const top = new TopValues(ofFacet);
      yield* this.#countFrequent(ofFacet, top);
      // Count rare values only if one of them can still be among the top values.
      if (top.minTopCount <= ofFacet.maxRareCount) yield* this.#countRare(ofFacet, top);
      counts[facet] = top.list();
    }
    return counts;
  }

  *#countFrequent(values: FacetValues, top: TopValues): Generator<void, void> {
    for (const value of values.frequent) {
      if (values.maxCounts.at(value) < top.minTopCount) return;
      top.add(value, this.#countSpellings(values.spellingsOf(value)));
      yield;
    }
  }

  #countSpellings(spellings: readonly Spelling[]): number {
    let count = 0;
    for (const [index, bits] of this.matched.entries()) {
      const postings = spellings.flatMap((spelling) => spelling.postings.get(index) ?? []);
      if (postings.length > 0) count += countIn(this.segments[index] as ReadableSegment, postings, bits, this.scratch);
    }
    return count;
  }

  /** Counts all rare values at once, because reading their ranks one after another is faster than reading each alone. */
  *#countRare(values: FacetValues, top: TopValues): Generator<void, void> {
    const counts = new Uint32Array(values.count);
    const { minTopCount } = top;
    let work = 0;
    for (const [index, { segment }] of this.segments.entries()) {
      const list = values.lists[index] as SegmentValues;
      const numbers = values.numbers[index] as Uint32Array;
      const reader = segment.sequentialReader();
      for (let position = 0; position < numbers.length; position++) {
        const value = numbers[position] as number;
        work += 1;
        if (values.maxCounts.at(value) >= minTopCount && values.isRare(value)) {
          const bits = this.matched[index] as Uint32Array;
          counts[value] = (counts[value] as number) + countTerms(reader, list, position, bits);
          work += values.maxCounts.at(value);
        }
        if (work < STEP_SIZE) continue;
        work = 0;
        yield;
      }
    }
    for (let value = 0; value < counts.length; value++) {
      top.add(value, counts[value] as number);
      if (value % STEP_SIZE === STEP_SIZE - 1) yield;
    }
  }
}

/** Values with the most creators so far. */
class TopValues {
  readonly #found: (FacetCount & { readonly value: string })[] = [];

  constructor(private readonly values: FacetValues) {}

  /** Count below which no value is added. */
  get minTopCount(): number {
    return this.#found.length < MAX_VALUES ? 1 : (this.#found.at(-1)?.count ?? 1);
  }

  list(): FacetCount[] {
    return [...this.#found];
  }

  add(value: number, count: number): void {
    // The first spelling is compared first, because finding the displayed one may read postings.
    if (!this.#isAmong(count, this.values.firstSpellingOf(value))) return;
    const text = this.values.displayedSpellingOf(value);
    if (!this.#isAmong(count, text)) return;
    let at = this.#found.length;
    for (; at > 0; at--) if (!isBefore(count, text, this.#found[at - 1] as FacetCount)) break;
    this.#found.splice(at, 0, { value: text, count });
    if (this.#found.length > MAX_VALUES) this.#found.pop();
  }

  #isAmong(count: number, text: string): boolean {
    if (count < this.minTopCount) return false;
    return this.#found.length < MAX_VALUES || isBefore(count, text, this.#found.at(-1) as FacetCount);
  }
}

function isBefore(count: number, text: string, other: FacetCount): boolean {
  return count > other.count || (count === other.count && compareBytes(text, other.value) < 0);
}

/** Counts the creators of a segment with any of some terms. */
function countIn(
  { segment }: ReadableSegment,
  postings: readonly Postings[],
  matched: Uint32Array,
  scratch: ScratchBitmaps,
): number {
  const [only] = postings;
  if (only !== undefined && postings.length === 1 && !only.isBitmap) {
    let count = 0;
    for (const rank of segment.readPostings(only)) if (hasBit(matched, rank)) count += 1;
    return count;
  }
  const mark = scratch.mark();
  const bits = scratch.acquire(matched.length).fill(0);
  const part = scratch.acquire(matched.length);
  for (const term of postings) {
    if (term.isBitmap) {
      segment.readBits(term.offset, 0, part);
      unite(bits, part);
    } else for (const rank of segment.readPostings(term)) setBit(bits, rank);
  }
  intersect(bits, matched);
  const count = countBits(bits);
  scratch.releaseTo(mark);
  return count;
}

/** Counts the creators of a segment with a value. */
function countTerms(reader: SequentialReader, list: SegmentValues, position: number, matched: Uint32Array): number {
  const [from, to] = list.termsOf(position);
  if (to - from === 1) return countTerm(reader, list.postings.at(from), matched);
  // A creator may have several spellings.
  const ranks = new Set<number>();
  for (let term = from; term < to; term++) addRanks(reader, list.postings.at(term), matched, ranks);
  return ranks.size;
}

function countTerm(reader: SequentialReader, postings: Postings, matched: Uint32Array): number {
  const length = postings.isBitmap ? matched.length : postings.count;
  const start = reader.seek(postings.offset, length);
  const { window } = reader;
  let count = 0;
  if (postings.isBitmap) {
    for (let at = 0; at < length; at++) count += countWord((window[start + at] as number) & (matched[at] as number));
  } else for (let at = 0; at < length; at++) if (hasBit(matched, window[start + at] as number)) count += 1;
  return count;
}

function addRanks(reader: SequentialReader, postings: Postings, matched: Uint32Array, ranks: Set<number>): void {
  const length = postings.isBitmap ? matched.length : postings.count;
  const start = reader.seek(postings.offset, length);
  const { window } = reader;
  for (let at = 0; at < length; at++) {
    const number = window[start + at] as number;
    if (!postings.isBitmap) {
      if (hasBit(matched, number)) ranks.add(number);
      continue;
    }
    for (let word = number & (matched[at] as number); word !== 0; word &= word - 1) {
      ranks.add(at * 32 + 31 - Math.clz32(word & -word));
    }
  }
}
