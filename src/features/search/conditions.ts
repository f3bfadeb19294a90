import { UNKNOWN_SORT_VALUE } from '../../database/columns.js';
import type { QueryWord } from '../games/search-words.mjs';
import { AllOf, AnyOf, countRanks, Either, RankRange, type Condition, type Term } from './rank-sets.js';
import { countBits, PREFIX, setBit } from './segments/postings.mjs';
import type { Segment } from './segments/segment.mjs';
import type { Postings } from './segments/term-table.mjs';
import { indexedParts, valuePrefix, type Attribute } from './segments/terms.mjs';
import { BLOCK_WORDS, type ScratchBitmaps } from './scratch-bitmaps.js';

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

  fill(target: Uint32Array, fromWord: number): boolean {
    const values = this.#readActivity(target, fromWord);
    target.fill(0);
    for (let at = 0; at < values.length; at++) if ((values[at] as number) >= this.after) setBit(target, at);
    return true;
  }

  #readActivity({ length }: Uint32Array, fromWord: number): Float64Array {
    const first = fromWord * 32;
    const values = blockActivity.subarray(0, Math.min(length * 32, this.segment.count - first));
    this.segment.readLastActive(first, values);
    return values;
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
