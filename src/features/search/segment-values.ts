import type { Facet } from './search-query.js';
import { NumberList } from './segments/number-list.mjs';
import { PostingsList } from './segments/postings-list.mjs';
import type { Segment } from './segments/segment.mjs';
import type { Postings } from './segments/term-table.mjs';
import { KINDS, splitTerm } from './segments/terms.mjs';

/** Terms per step. */
const STEP_TERMS = 512;

/** Values that a facet has in a segment, in the order of their terms. */
export class SegmentValues {
  /** What all spellings of a value share, by value. */
  readonly values: string[] = [];
  /** Spelling of each term. A value has one term for each of its spellings. */
  readonly spellings: string[] = [];
  readonly postings = new PostingsList();
  /** First term of each value. */
  readonly #starts = new NumberList(Uint32Array);
  #terms: Iterator<readonly [string, Postings]> | null = null;
  #isComplete = false;

  constructor(
    private readonly segment: Segment,
    private readonly facet: Facet,
  ) {}

  /** Returns the terms of a value: from the first number to before the second. */
  termsOf(value: number): readonly [from: number, to: number] {
    return [
      this.#starts.at(value),
      value + 1 === this.values.length ? this.spellings.length : this.#starts.at(value + 1),
    ];
  }

  /** Returns the position of a value; -1 if the segment does not have it. */
  find(value: string): number {
    const position = this.seek(value, 0);
    return this.values[position] === value ? position : -1;
  }

  /** Returns the first position whose value is not before `value`. Fast if it is near `start`, from which it searches. */
  seek(value: string, start: number): number {
    const { values } = this;
    let from = start;
    let to = start;
    for (let step = 1; to < values.length && (values[to] as string) < value; step *= 2) {
      from = to + 1;
      to = Math.min(values.length, to + step);
    }
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((values[middle] as string) < value) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /** Reads the values in steps, unless it was done. Several callers may take steps in turn. */
  *read(): Generator<void, void> {
    while (!this.#isComplete) {
      try {
        this.#readNext();
      } catch (error) {
        this.#clear();
        throw error;
      }
      yield;
    }
  }

  #readNext(): void {
    this.#terms ??= this.segment.sets.withPrefix(KINDS[this.facet]);
    for (let count = 0; count < STEP_TERMS; count += 1) {
      const next = this.#terms.next();
      if (next.done === true) {
        this.#isComplete = true;
        return;
      }
      const [term, postings] = next.value;
      const { value, spelling } = splitTerm(term);
      if (this.values.at(-1) !== value) {
        this.values.push(value);
        this.#starts.push(this.spellings.length);
      }
      this.spellings.push(spelling);
      this.postings.push(postings);
    }
  }

  /** Lets the next caller begin again. */
  #clear(): void {
    this.#terms = null;
    this.values.length = 0;
    this.spellings.length = 0;
    this.postings.clear();
    this.#starts.length = 0;
  }
}
