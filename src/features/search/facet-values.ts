import { compareBytes } from '../../model/byte-order.js';
import type { ReadableSegment } from './open-segment.js';
import type { Facet } from './search-query.js';
import { SegmentValues } from './segment-values.js';
import { NumberList } from './segments/number-list.mjs';
import { hasBit, isBitmapOf } from './segments/postings.mjs';
import type { Segment } from './segments/segment.mjs';
import type { Postings } from './segments/term-table.mjs';

/** Values per step. */
const STEP_VALUES = 1024;

/** Spelling of a value, with its postings by the number of their segment. */
export interface Spelling {
  readonly text: string;
  readonly postings: Map<number, Postings>;
}

/** Values of a facet in all segments of a platform, each with a number. */
export class FacetValues {
  /** Values of each segment. */
  readonly lists: readonly SegmentValues[];
  /** Number of each value, by segment. */
  readonly numbers: Uint32Array[] = [];
  /** Upper bound of the number of creators of each value. */
  readonly maxCounts = new NumberList(Uint32Array);
  /** Values that one in 32 creators may have, those with the most creators first. They are few: the others are rare. */
  frequent: readonly number[] = [];
  /** Maximum number of creators of all rare values. */
  maxRareCount = 0;
  /** First spelling of each value by bytes. */
  readonly #firstSpellings: string[] = [];
  readonly #keys: string[] = [];
  /** Values with several spellings. */
  readonly #mixed = new Set<number>();
  readonly #displayed = new Map<number, string>();
  readonly #steps: Generator<void, void>;
  #isComplete = false;

  constructor(
    private readonly segments: readonly ReadableSegment[],
    facet: Facet,
  ) {
    this.lists = segments.map(({ segment, values }) => {
      const list = values.get(facet) ?? new SegmentValues(segment, facet);
      values.set(facet, list);
      return list;
    });
    this.#steps = this.#merge();
  }

  get count(): number {
    return this.#keys.length;
  }

  /** Prepares the values in steps, unless it was done. Several callers may take steps in turn. */
  *prepare(): Generator<void, void> {
    for (const list of this.lists) yield* list.read();
    while (!this.#isComplete) {
      this.#steps.next();
      yield;
    }
  }

  isRare(value: number): boolean {
    return this.maxCounts.at(value) <= this.maxRareCount;
  }

  /** Returns a spelling that is not after the displayed one by bytes. */
  firstSpellingOf(value: number): string {
    return this.#firstSpellings[value] as string;
  }

  /** Returns the spelling of most creators; ties by the bytes of the spelling. */
  displayedSpellingOf(value: number): string {
    if (!this.#mixed.has(value)) return this.firstSpellingOf(value);
    let text = this.#displayed.get(value);
    if (text === undefined) {
      const [first] = this.spellingsOf(value)
        .map((spelling) => ({ text: spelling.text, count: this.#countLiving(spelling) }))
        .sort((a, b) => b.count - a.count || compareBytes(a.text, b.text));
      this.#displayed.set(value, (text = first?.text ?? ''));
    }
    return text;
  }

  spellingsOf(value: number): Spelling[] {
    const spellings = new Map<string, Spelling>();
    for (const [index, list] of this.lists.entries()) {
      const position = list.find(this.#keys[value] as string);
      if (position === -1) continue;
      const [from, to] = list.termsOf(position);
      for (let term = from; term < to; term++) {
        const text = list.spellings[term] as string;
        const spelling = spellings.get(text) ?? { text, postings: new Map<number, Postings>() };
        spellings.set(text, spelling);
        spelling.postings.set(index, list.postings.at(term));
      }
    }
    return [...spellings.values()];
  }

  #countLiving({ postings }: Spelling): number {
    let living = 0;
    for (const [index, ranks] of postings) {
      const { segment, dead } = this.segments[index] as ReadableSegment;
      living += ranks.count - (dead === null ? 0 : countDead(segment, ranks, dead));
    }
    return living;
  }

  *#merge(): Generator<void, void> {
    // The longest list first: the others find their values in it, so that a change of a few creators is merged fast.
    const order = [...this.lists.keys()].sort((a, b) => this.#lengthOf(b) - this.#lengthOf(a));
    const base = this.lists[order[0] ?? 0];
    const known = new Map<string, number>();
    for (const index of order) {
      const list = this.lists[index] as SegmentValues;
      const numbers = new Uint32Array(list.values.length);
      let inBase = 0;
      for (const [position, key] of list.values.entries()) {
        let value: number | undefined;
        if (base !== undefined && list !== base) {
          inBase = base.seek(key, inBase);
          value = base.values[inBase] === key ? inBase : known.get(key);
          if (value === undefined) known.set(key, this.count);
        }
        numbers[position] = this.#add(list, position, key, value);
        if (position % STEP_VALUES === STEP_VALUES - 1) yield;
      }
      this.numbers[index] = numbers;
      yield;
    }
    const creators = this.segments.reduce((sum, { segment }) => sum + segment.count, 0);
    const frequent: number[] = [];
    for (let value = 0; value < this.count; value++) {
      const most = this.maxCounts.at(value);
      if (isBitmapOf(most, creators)) frequent.push(value);
      else this.maxRareCount = Math.max(this.maxRareCount, most);
      if (value % STEP_VALUES === STEP_VALUES - 1) yield;
    }
    this.frequent = frequent.sort((a, b) => this.maxCounts.at(b) - this.maxCounts.at(a));
    this.#isComplete = true;
  }

  #lengthOf(index: number): number {
    return this.lists[index]?.values.length ?? 0;
  }

  /** @param known number of the value if an earlier list has it @returns its number */
  #add(list: SegmentValues, position: number, key: string, known: number | undefined): number {
    const [from, to] = list.termsOf(position);
    const value = known ?? this.count;
    if (known === undefined) {
      this.#keys.push(key);
      this.#firstSpellings.push(list.spellings[from] as string);
      this.maxCounts.push(0);
    }
    for (let term = from; term < to; term++) {
      const text = list.spellings[term] as string;
      this.maxCounts.set(value, this.maxCounts.at(value) + list.postings.countAt(term));
      const first = this.firstSpellingOf(value);
      if (text === first) continue;
      this.#mixed.add(value);
      if (compareBytes(text, first) < 0) this.#firstSpellings[value] = text;
    }
    return value;
  }
}

function countDead(segment: Segment, postings: Postings, dead: Uint32Array): number {
  let count = 0;
  for (const rank of segment.readPostings(postings)) if (hasBit(dead, rank)) count += 1;
  return count;
}
