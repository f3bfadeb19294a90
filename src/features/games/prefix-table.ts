/** Index words of all names, as the building thread transfers them. */
export interface WordArrays {
  /** UTF-16 units of all words, each word terminated by a 0. */
  readonly text: Uint16Array;
  /** Start of each word in `text`; words are sorted by their text. */
  readonly wordStarts: Uint32Array;
  /** Start of each word's games in `games`, followed by the end of the last word's games. */
  readonly gameStarts: Uint32Array;
  /** Ranks of games, ascending per word. */
  readonly games: Uint32Array;
}

/** Sorted index words with the games of each. A prefix is a range of words, and so a range of `games`. */
export class PrefixTable {
  constructor(private readonly arrays: WordArrays) {}

  /** Returns the ranks of the games with a prefix. A game with several such words occurs several times. */
  games(prefix: string): Uint32Array {
    const { games, gameStarts } = this.arrays;
    const from = this.#firstWord(0, (word) => this.#compare(word, prefix) >= 0);
    const to = this.#firstWord(from, (word) => this.#compare(word, prefix) > 0);
    return games.subarray(gameStarts[from], gameStarts[to]);
  }

  /** Finds the first word that satisfies a condition, by binary search: all later words must satisfy it, too. */
  #firstWord(from: number, satisfies: (word: number) => boolean): number {
    let to = this.arrays.wordStarts.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (satisfies(middle)) to = middle;
      else from = middle + 1;
    }
    return from;
  }

  /** Compares a word with a prefix. @returns 0 if the word starts with it, otherwise the sign of their order */
  #compare(word: number, prefix: string): number {
    const { text, wordStarts } = this.arrays;
    const start = wordStarts[word] as number;
    for (let i = 0; i < prefix.length; i++) {
      const difference = (text[start + i] as number) - prefix.charCodeAt(i);
      if (difference !== 0) return difference; // at the latest at the terminating 0
    }
    return 0;
  }
}
