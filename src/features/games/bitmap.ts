/** Bitmaps are combined block by block: long enough for tight loops, short enough to skip where nothing matches. */
export const BLOCK_WORDS = 64;
const BLOCK_SHIFT = Math.log2(BLOCK_WORDS * 32);

/** A set of games: bit number = rank. */
export class Bitmap {
  /** Whole blocks of 32-bit words. */
  private readonly words: Uint32Array;
  /** By block, whether it holds any bit: rare prefixes leave most blocks empty. */
  private readonly occupied: Uint8Array;

  /** An empty set with room for `size` games. */
  constructor(size: number) {
    const blocks = Math.ceil(size / (BLOCK_WORDS * 32));
    this.words = new Uint32Array(blocks * BLOCK_WORDS);
    this.occupied = new Uint8Array(blocks);
  }

  /** Adds the ranks listed in `ranks` from one place to another. */
  addAll(ranks: Uint32Array, from: number, to: number): void {
    const { words, occupied } = this; // the loops of this class are the search's time: nothing is looked up twice
    for (let i = from; i < to; i++) {
      const rank = ranks[i] as number; // in range, as in the loop below
      words[rank >>> 5] = (words[rank >>> 5] as number) | (1 << (rank & 31));
      occupied[rank >>> BLOCK_SHIFT] = 1;
    }
  }

  clear(): void {
    this.words.fill(0);
    this.occupied.fill(0);
  }

  /** Puts into `kept` what the numbered block of both sets has; otherwise as `keepCommon`. */
  common(other: Bitmap, kept: Uint32Array, block: number): boolean {
    if (this.occupied[block] === 0 || other.occupied[block] === 0) return false;
    const { words } = this;
    const { words: otherWords } = other;
    const base = block * BLOCK_WORDS;
    let left = 0;
    for (let i = 0; i < BLOCK_WORDS; i++) {
      const word = (words[base + i] as number) & (otherWords[base + i] as number);
      kept[i] = word;
      left |= word;
    }
    return left !== 0;
  }

  /**
   * Keeps in `kept` what the numbered block of this set has too. False if nothing is left; what `kept` holds then, is
   * not to be read.
   */
  keepCommon(kept: Uint32Array, block: number): boolean {
    if (this.occupied[block] === 0) return false;
    const { words } = this;
    const base = block * BLOCK_WORDS;
    let left = 0;
    for (let i = 0; i < BLOCK_WORDS; i++) {
      const word = (kept[i] as number) & (words[base + i] as number);
      kept[i] = word;
      left |= word;
    }
    return left !== 0;
  }
}
