/** The index words of all names, as the building thread hands them over. */
export interface WordArrays {
  /** Holds a 0 after the last UTF-16 unit of every word. */
  readonly text: Uint16Array;
  /** Where each word starts in `text`, in the order of the words' texts. */
  readonly wordStarts: Uint32Array;
  /** Where each word's games start in `games`, and where the last one's end. */
  readonly gameStarts: Uint32Array;
  /** Ranks, ascending for each word. */
  readonly games: Uint32Array;
}

/** The sorted index words and the games of each: a prefix is a range of words, and so a range of `games`. */
export class PrefixTable {
  constructor(private readonly arrays: WordArrays) {}

  /** @returns the ranks of the games that have the prefix; a game with several such words occurs several times */
  games(prefix: string): Uint32Array {
    const { games, gameStarts } = this.arrays;
    const from = this.#firstWord(0, (word) => this.#compare(word, prefix) >= 0);
    const to = this.#firstWord(from, (word) => this.#compare(word, prefix) > 0);
    return games.subarray(gameStarts[from], gameStarts[to]);
  }

  /** The first word that the condition holds for; it must hold for all that follow. */
  #firstWord(from: number, holds: (word: number) => boolean): number {
    let to = this.arrays.wordStarts.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (holds(middle)) to = middle;
      else from = middle + 1;
    }
    return from;
  }

  /** 0 for a word that begins with the prefix, otherwise whether it sorts before or after. */
  #compare(word: number, prefix: string): number {
    const { text, wordStarts } = this.arrays;
    const start = wordStarts[word] as number;
    for (let i = 0; i < prefix.length; i++) {
      const difference = (text[start + i] as number) - prefix.charCodeAt(i);
      if (difference !== 0) return difference; // at the latest at the 0 that ends the word
    }
    return 0;
  }
}
