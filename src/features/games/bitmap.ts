/** Bitmaps are combined block by block: long enough for tight loops, short enough to skip where nothing matches. */
export const BLOCK_WORDS = 64;

/** A set of games: bit number = rank. */
export class Bitmap {
  readonly #words: Uint32Array;

  /** An empty set with room for `size` games. */
  constructor(size: number) {
    this.#words = new Uint32Array(Math.ceil(size / (BLOCK_WORDS * 32)) * BLOCK_WORDS);
  }

  clear(): void {
    this.#words.fill(0);
  }

  add(ranks: Uint32Array): void {
    const words = this.#words; // read once: these loops are what a search takes its time for
    for (let i = 0; i < ranks.length; i++) {
      const rank = ranks[i] as number;
      words[rank >>> 5] = (words[rank >>> 5] as number) | (1 << (rank & 31));
    }
  }

  /**
   * Removes from `block` what the set's block of that number does not have.
   * @returns whether anything is left
   */
  restrict(block: Uint32Array, number: number): boolean {
    const words = this.#words;
    const base = number * BLOCK_WORDS;
    let left = 0;
    for (let i = 0; i < BLOCK_WORDS; i++) left |= block[i] = (block[i] as number) & (words[base + i] as number);
    return left !== 0;
  }
}
