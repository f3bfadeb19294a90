import { Bitmap, BLOCK_WORDS } from './bitmap.js';
import { PrefixTable, type WordArrays } from './prefix-table.js';
import type { QueryWord } from './search-words.mjs';

const BLOCK_GAMES = BLOCK_WORDS * 32;

/** A prefix is frequent if more than one in 64 games has it. Bitmaps of frequent prefixes are cached. */
const FREQUENT_RATIO = 64;

/** Maximum cached bitmaps. Each has 61 KiB for 500,000 games. */
const MAX_CACHED_BITMAPS = 256;

interface Prefix {
  readonly text: string;
  readonly ranks: Uint32Array;
  bitmap?: Bitmap;
}

/** Condition of one query word: a game must have all prefixes of one of the (one or two) alternatives. `estimate` is the maximum
 * number of such games. */
interface WordCondition {
  readonly alternatives: readonly (readonly Prefix[])[];
  readonly estimate: number;
}

/** Immutable index of names, with a bitmap per prefix that is filled on first use. Bits are in the order of results. */
export class NameIndex {
  readonly #table: PrefixTable;
  readonly #cachedBitmaps = new Map<string, Bitmap>();
  /** Bitmaps of rare prefixes, overwritten by the next search. */
  readonly #scratchBitmaps: Bitmap[] = [];
  #scratchUsed = 0;
  readonly #matches = new Uint32Array(BLOCK_WORDS);
  readonly #alternativeMatches = new Uint32Array(BLOCK_WORDS);

  constructor(
    /** Numbers of the games by rank. */
    private readonly nums: Uint32Array,
    words: WordArrays,
  ) {
    this.#table = new PrefixTable(words);
  }

  /** Searches games. @returns the numbers of the first `limit` games that match every word and are not excluded, by rank */
  search(words: readonly QueryWord[], limit: number, excluded: Pick<ReadonlySet<number>, 'has'>): number[] {
    const found: number[] = [];
    const conditions = this.#conditions(words);
    if (conditions.length === 0) return found;

    this.#scratchUsed = 0;
    for (let block = 0; block * BLOCK_GAMES < this.nums.length && found.length < limit; block++) {
      this.#matches.fill(0xffffffff);
      if (conditions.every((condition) => this.#restrict(condition, block))) {
        this.#collect(block, limit, excluded, found);
      }
    }
    return found;
  }

  /** Compiles the conditions of a query, the most selective one first; empty if no game can match. */
  #conditions(words: readonly QueryWord[]): WordCondition[] {
    const conditions: WordCondition[] = [];
    for (const { joined, parts } of words) {
      const alternatives = [[joined], ...(parts.length === 1 && parts[0] === joined ? [] : [parts])]
        .map((texts) => texts.map((text) => ({ text, ranks: this.#table.games(text) })))
        .filter((prefixes) => prefixes.every(({ ranks }) => ranks.length > 0));
      if (alternatives.length === 0) return [];
      const fewest = alternatives.map((prefixes) => Math.min(...prefixes.map(({ ranks }) => ranks.length)));
      conditions.push({ alternatives, estimate: fewest.reduce((sum, count) => sum + count) });
    }
    return conditions.sort((a, b) => a.estimate - b.estimate);
  }

  /** Removes from `#matches` the games of the block that do not satisfy the condition. @returns false if none remains */
  #restrict({ alternatives: [first = [], second] }: WordCondition, block: number): boolean {
    if (second === undefined) return this.#restrictAll(first, this.#matches, block);
    this.#alternativeMatches.set(this.#matches);
    const secondMatches = this.#restrictAll(second, this.#alternativeMatches, block);
    const firstMatches = this.#restrictAll(first, this.#matches, block);
    if (!secondMatches) return firstMatches;
    if (!firstMatches) this.#matches.fill(0);
    for (let i = 0; i < BLOCK_WORDS; i++)
      this.#matches[i] = (this.#matches[i] as number) | (this.#alternativeMatches[i] as number);
    return true;
  }

  #restrictAll(prefixes: readonly Prefix[], matches: Uint32Array, block: number): boolean {
    for (const prefix of prefixes) if (!this.#bitmap(prefix).intersectBlock(matches, block)) return false;
    return true;
  }

  /** Returns the bitmap of a prefix. It is filled on first use, because most words of a long query are never evaluated. */
  #bitmap(prefix: Prefix): Bitmap {
    prefix.bitmap ??= this.#cachedBitmaps.get(prefix.text) ?? this.#createBitmap(prefix);
    return prefix.bitmap;
  }

  #createBitmap({ text, ranks }: Prefix): Bitmap {
    const size = this.nums.length;
    if (ranks.length * FREQUENT_RATIO <= size) {
      const bitmap = (this.#scratchBitmaps[this.#scratchUsed++] ??= new Bitmap(size));
      bitmap.clear();
      bitmap.add(ranks);
      return bitmap;
    }
    const bitmap = new Bitmap(size);
    bitmap.add(ranks);
    if (this.#cachedBitmaps.size >= MAX_CACHED_BITMAPS) this.#cachedBitmaps.clear();
    this.#cachedBitmaps.set(text, bitmap);
    return bitmap;
  }

  #collect(block: number, limit: number, excluded: Pick<ReadonlySet<number>, 'has'>, found: number[]): void {
    for (let i = 0; i < BLOCK_WORDS; i++) {
      for (let word = this.#matches[i] as number; word !== 0; word &= word - 1) {
        const rank = (block * BLOCK_WORDS + i) * 32 + 31 - Math.clz32(word & -word);
        const num = this.nums[rank] as number; // every bit is the rank of a game
        if (!excluded.has(num)) found.push(num);
        if (found.length === limit) return;
      }
    }
  }
}
