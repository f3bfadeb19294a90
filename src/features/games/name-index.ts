import { Bitmap, BLOCK_WORDS } from './bitmap.js';
import type { PrefixTable, WordRange } from './prefix-table.js';
import type { QueryWord } from './search-words.js';

/** Bits of the platform masks. */
export const LIVE_PLATFORM = 1;
export const VIDEO_PLATFORM = 2;

/** Bitmaps for rare prefixes that are kept for the next search; a query needs more only if it has many words. */
const KEPT_SCRATCH = 8;

/** A set or a map by number of games. */
type Excluded = Pick<ReadonlySet<number>, 'has'>;

/** The games that have a prefix; the bitmap is made when it is first needed. */
interface Prefix {
  range: WordRange;
  count: number;
  bitmap?: Bitmap;
}

/** What a game must satisfy: the prefix `whole`, or all the prefixes `parts` if there are any. */
interface Condition {
  /** How many games satisfy it, at most. */
  estimate: number;
  whole: Prefix;
  parts: Prefix[];
}

/**
 * Game names, ready for search; immutable. Every prefix stands for a set of games: the frequent ones have their bitmap,
 * the others are made bitmaps on the way. Combining bitmaps takes tens of microseconds however unlucky the words
 * are, and as bits are in order of rank, the first ones found are the answer. Made by `NameIndexBuilder`.
 */
export class NameIndex {
  private readonly scratch: Bitmap[] = [];
  private scratchUsed = 0;
  private readonly kept = new Uint32Array(BLOCK_WORDS);
  private readonly keptByParts = new Uint32Array(BLOCK_WORDS);

  constructor(
    private readonly nums: Uint32Array, // by rank
    private readonly table: PrefixTable,
    private readonly dense: ReadonlyMap<number, Bitmap>, // by key of the words
    private readonly byPlatforms: readonly Bitmap[], // by platform mask
  ) {}

  get size(): number {
    return this.nums.length;
  }

  /**
   * The numbers of the first `limit` games that match every word, in order of rank. A game is on the platforms if it is
   * on any of the mask; 0 stands for no filter. The excluded ones are skipped.
   */
  search(words: readonly QueryWord[], platforms: number, limit: number, excluded: Excluded): number[] {
    const found: number[] = [];
    const conditions = this.conditions(words);
    if (conditions.length === 0) return found;

    this.scratchUsed = 0;
    const available = platforms === 0 ? undefined : this.byPlatforms[platforms];
    for (let block = 0; block * BLOCK_WORDS * 32 < this.size && found.length < limit; block++) {
      if (this.keepAll(conditions, available, block)) this.collect(block, limit, excluded, found);
    }
    return found;
  }

  /** Puts into `kept` the games of the numbered block that satisfy all conditions; false if there are none. */
  private keepAll(conditions: readonly Condition[], available: Bitmap | undefined, block: number): boolean {
    const [first, second] = conditions;
    let kept = 0;
    // A pass over the block less for what is most common: two words, or more, none of them joined of parts.
    if (first?.parts.length === 0 && second?.parts.length === 0) {
      if (!this.bitmap(first.whole).common(this.bitmap(second.whole), this.kept, block)) return false;
      kept = 2;
    } else {
      this.kept.fill(0xffffffff);
    }
    for (; kept < conditions.length; kept++) {
      if (!this.keep(conditions[kept] as Condition, block)) return false; // in range
    }
    return available === undefined || available.keepCommon(this.kept, block);
  }

  /** All conditions of the query, the one with the fewest games first; none if there is nothing to find. */
  private conditions(words: readonly QueryWord[]): Condition[] {
    const prefixes = new Map<number, Prefix>();
    const conditions: Condition[] = [];
    for (const { joined, parts } of words) {
      const whole = this.prefix(joined, prefixes);
      const separate = parts.length > 1 ? parts.map((part) => this.prefix(part, prefixes)) : [];
      const fewest = separate.length > 0 ? Math.min(...separate.map(({ count }) => count)) : 0;
      if (whole.count + fewest === 0) return [];
      if (whole.count > 0) {
        conditions.push({ estimate: whole.count + fewest, whole, parts: fewest > 0 ? separate : [] });
      } else {
        conditions.push(...separate.map((part) => ({ estimate: part.count, whole: part, parts: [] })));
      }
    }
    return conditions.sort((a, b) => a.estimate - b.estimate);
  }

  /** The same object for the same words, so that its bitmap is made once. */
  private prefix(text: string, known: Map<number, Prefix>): Prefix {
    const range = this.table.find(text);
    const key = this.table.key(range);
    const prefix = known.get(key) ?? { range, count: this.table.count(range), bitmap: this.dense.get(key) };
    known.set(key, prefix);
    return prefix;
  }

  /** Keeps of the numbered block the games that satisfy the condition; false if none is left. */
  private keep({ whole, parts }: Condition, block: number): boolean {
    if (parts.length === 0) return this.bitmap(whole).keepCommon(this.kept, block);
    this.keptByParts.set(this.kept);
    const byParts = parts.every((part) => this.bitmap(part).keepCommon(this.keptByParts, block));
    const byWhole = this.bitmap(whole).keepCommon(this.kept, block);
    if (!byParts) return byWhole;
    for (let i = 0; i < BLOCK_WORDS; i++) {
      this.kept[i] = (byWhole ? (this.kept[i] as number) : 0) | (this.keptByParts[i] as number); // in range
    }
    return true;
  }

  /** Bitmaps of rare prefixes are made as late as this, since many words of a long query are never looked at. */
  private bitmap(prefix: Prefix): Bitmap {
    if (!prefix.bitmap) {
      prefix.bitmap = this.emptyBitmap();
      this.table.fill(prefix.range, prefix.bitmap);
    }
    return prefix.bitmap;
  }

  private emptyBitmap(): Bitmap {
    const used = this.scratch[this.scratchUsed++];
    used?.clear();
    const bitmap = used ?? new Bitmap(this.size);
    if (!used && this.scratch.length < KEPT_SCRATCH) this.scratch.push(bitmap);
    return bitmap;
  }

  /** Adds the games of the block to those found. */
  private collect(block: number, limit: number, excluded: Excluded, found: number[]): void {
    for (let i = 0; i < BLOCK_WORDS; i++) {
      for (let word = this.kept[i] as number; word !== 0; word &= word - 1) {
        const rank = (block * BLOCK_WORDS + i) * 32 + 31 - Math.clz32(word & -word);
        const num = this.nums[rank] as number; // only ranks of games have bits
        if (!excluded.has(num)) found.push(num);
        if (found.length === limit) return;
      }
    }
  }
}
