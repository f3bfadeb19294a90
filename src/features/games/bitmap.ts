/** Words per block. Bitmaps are intersected by blocks: long enough for tight loops, short enough to skip empty parts. */
export const BLOCK_WORDS = 64;

const BLOCK_SHIFT = Math.log2(BLOCK_WORDS * 32);

/** Set of games. The number of a bit is the rank of a game. */
export class Bitmap {
  readonly #words: Uint32Array;
  /** 1 per block that has any bit. Most blocks of a rare prefix have none. */
  readonly #occupied: Uint8Array;

  /** Creates an empty set. @param size number of games */
  constructor(size: number) {
    const blocks = Math.ceil(size / (BLOCK_WORDS * 32));
    this.#words = new Uint32Array(blocks * BLOCK_WORDS);
    this.#occupied = new Uint8Array(blocks);
  }

  clear(): void {
    this.#words.fill(0);
    this.#occupied.fill(0);
  }

  add(ranks: Uint32Array): void {
    // Local copies: a search spends its time in the loops of this class.
    const words = this.#words;
    const occupied = this.#occupied;
    for (let i = 0; i < ranks.length; i++) {
      const rank = ranks[i] as number;
      words[rank >>> 5] = (words[rank >>> 5] as number) | (1 << (rank & 31));
      occupied[rank >>> BLOCK_SHIFT] = 1;
    }
  }

  /** Intersects `block` with the set's block of that number, in place. @returns false if the result is empty; the content of
   * `block` is then undefined */
  intersectBlock(block: Uint32Array, number: number): boolean {
    if (this.#occupied[number] === 0) return false;
    const words = this.#words;
    const base = number * BLOCK_WORDS;
    let remaining = 0;
    for (let i = 0; i < BLOCK_WORDS; i++) {
      const word = (block[i] as number) & (words[base + i] as number);
      block[i] = word;
      remaining |= word;
    }
    return remaining !== 0;
  }
}
