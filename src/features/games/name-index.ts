import { Bitmap, BLOCK_WORDS } from './bitmap.js';
import { PrefixTable, type WordArrays } from './prefix-table.js';
import type { QueryWord } from './search-words.mjs';

const BLOCK_GAMES = BLOCK_WORDS * 32;

/** Bitmaps of prefixes that more than one game in so many has are cached: filling one takes longer than a search. */
const FREQUENT_SHARE = 64;

/** Cached bitmaps, at most: 61 KiB each for 500,000 games. */
const MAX_KEPT = 256;

interface Prefix {
  readonly text: string;
  readonly ranks: Uint32Array;
  bitmap?: Bitmap;
}

/** A game must have all prefixes of one alternative (of one or two); `estimate` is the most games that can. */
interface Condition {
  readonly alternatives: readonly (readonly Prefix[])[];
  readonly estimate: number;
}

/** Immutable index: a lazy bitmap per prefix, bits in result order. Intersecting takes tens of microseconds. */
export class NameIndex {
  readonly #table: PrefixTable;
  readonly #frequent = new Map<string, Bitmap>();
  /** For rare prefixes, overwritten by the next search. */
  readonly #reusable: Bitmap[] = [];
  #reused = 0;
  readonly #kept = new Uint32Array(BLOCK_WORDS);
  readonly #other = new Uint32Array(BLOCK_WORDS);

  constructor(
    /** The games' numbers by rank. */
    private readonly nums: Uint32Array,
    words: WordArrays,
  ) {
    this.#table = new PrefixTable(words);
  }

  /** @returns the numbers of the first `limit` games that match every word and are not excluded, in order of rank */
  search(words: readonly QueryWord[], limit: number, excluded: Pick<ReadonlySet<number>, 'has'>): number[] {
    const found: number[] = [];
    const conditions = this.#conditions(words);
    if (conditions.length === 0) return found;

    this.#reused = 0;
    for (let block = 0; block * BLOCK_GAMES < this.nums.length && found.length < limit; block++) {
      this.#kept.fill(0xffffffff);
      if (conditions.every((condition) => this.#restrict(condition, block))) {
        this.#collect(block, limit, excluded, found);
      }
    }
    return found;
  }

  /** The conditions of the query, the one with the fewest games first; none if there is nothing to find. */
  #conditions(words: readonly QueryWord[]): Condition[] {
    const conditions: Condition[] = [];
    for (const { joined, parts } of words) {
      const alternatives = [[joined], ...(parts.length > 1 ? [parts] : [])]
        .map((texts) => texts.map((text) => ({ text, ranks: this.#table.games(text) })))
        .filter((prefixes) => prefixes.every(({ ranks }) => ranks.length > 0));
      if (alternatives.length === 0) return [];
      const fewest = alternatives.map((prefixes) => Math.min(...prefixes.map(({ ranks }) => ranks.length)));
      conditions.push({ alternatives, estimate: fewest.reduce((sum, count) => sum + count) });
    }
    return conditions.sort((a, b) => a.estimate - b.estimate);
  }

  /** Removes from `#kept` the games of the block that do not satisfy the condition; false if none is left. */
  #restrict({ alternatives: [first = [], second] }: Condition, block: number): boolean {
    if (second === undefined) return this.#restrictAll(first, this.#kept, block);
    this.#other.set(this.#kept);
    const bySecond = this.#restrictAll(second, this.#other, block);
    const byFirst = this.#restrictAll(first, this.#kept, block);
    if (!bySecond) return byFirst;
    if (!byFirst) this.#kept.fill(0);
    for (let i = 0; i < BLOCK_WORDS; i++) this.#kept[i] = (this.#kept[i] as number) | (this.#other[i] as number);
    return true;
  }

  #restrictAll(prefixes: readonly Prefix[], kept: Uint32Array, block: number): boolean {
    for (const prefix of prefixes) if (!this.#bitmap(prefix).restrict(kept, block)) return false;
    return true;
  }

  /** Filled this late, because many words of a long query are never looked at. */
  #bitmap(prefix: Prefix): Bitmap {
    prefix.bitmap ??= this.#frequent.get(prefix.text) ?? this.#newBitmap(prefix);
    return prefix.bitmap;
  }

  #newBitmap({ text, ranks }: Prefix): Bitmap {
    const size = this.nums.length;
    if (ranks.length * FREQUENT_SHARE <= size) {
      const bitmap = (this.#reusable[this.#reused++] ??= new Bitmap(size));
      bitmap.clear();
      bitmap.add(ranks);
      return bitmap;
    }
    const bitmap = new Bitmap(size);
    bitmap.add(ranks);
    if (this.#frequent.size >= MAX_KEPT) this.#frequent.clear();
    this.#frequent.set(text, bitmap);
    return bitmap;
  }

  #collect(block: number, limit: number, excluded: Pick<ReadonlySet<number>, 'has'>, found: number[]): void {
    for (let i = 0; i < BLOCK_WORDS; i++) {
      for (let word = this.#kept[i] as number; word !== 0; word &= word - 1) {
        const rank = (block * BLOCK_WORDS + i) * 32 + 31 - Math.clz32(word & -word);
        const num = this.nums[rank] as number; // only ranks of games have bits
        if (!excluded.has(num)) found.push(num);
        if (found.length === limit) return;
      }
    }
  }
}
