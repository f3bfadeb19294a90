import { Bitmap } from './bitmap.js';

/** A prefix that more than one game in so many has, gets its bitmap beforehand: making it takes longer than combining it. */
const DENSE_SHARE = 64;
/** Keeps memory bounded whatever the names are; a prefix without its bitmap is only slower. */
const MAX_DENSE = 256;
/** How many games are handled between two yields. */
const SLICE = 1 << 16;

/** Neighbouring words of the table. */
export interface WordRange {
  from: number;
  to: number;
}

/** All index words in the order of their texts, and the games of each: a prefix is a range of words, and of games. */
export class PrefixTable {
  constructor(
    /** Holds a 0 after the last unit of every word. */
    private readonly text: Uint16Array,
    private readonly wordStarts: Uint32Array,
    /** By word, where its games begin in `games`; one more for the end. */
    private readonly gameStarts: Uint32Array,
    /** Ranks; ascending for each word. A game may occur more than once in a range of words. */
    private readonly games: Uint32Array,
  ) {}

  get words(): number {
    return this.wordStarts.length;
  }

  /** The words that begin with the prefix. */
  find(prefix: string): WordRange {
    const from = this.firstWord(0, (word) => this.compare(word, prefix) >= 0);
    return { from, to: this.firstWord(from, (word) => this.compare(word, prefix) > 0) };
  }

  /** How many games the words have, at most. */
  count({ from, to }: WordRange): number {
    return this.gameStart(to) - this.gameStart(from);
  }

  /** A number that stands for the range, unique in this table. */
  key({ from, to }: WordRange): number {
    return from * (this.words + 1) + to;
  }

  /** Adds the games of the words to the set. */
  fill(range: WordRange, bitmap: Bitmap): void {
    bitmap.addAll(this.games, this.gameStart(range.from), this.gameStart(range.to));
  }

  /** The same in slices. */
  *fillSlowly(range: WordRange, bitmap: Bitmap): Generator<void> {
    const end = this.gameStart(range.to);
    for (let from = this.gameStart(range.from); from < end; from += SLICE) {
      bitmap.addAll(this.games, from, Math.min(from + SLICE, end));
      yield;
    }
  }

  /** The unit of the word's text at the place, 0 at its end. */
  unit(word: number, place: number): number {
    return this.text[(this.wordStarts[word] as number) + place] as number; // callers stay in range
  }

  /** The first word in from..to that the condition holds for; it must hold for all that follow. */
  firstWord(from: number, holds: (word: number) => boolean, to = this.words): number {
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (holds(middle)) to = middle;
      else from = middle + 1;
    }
    return from;
  }

  private gameStart(word: number): number {
    return this.gameStarts[word] as number; // words and the one after the last are in range
  }

  /** 0 for a word that begins with the prefix, otherwise whether it sorts before or after. */
  private compare(word: number, prefix: string): number {
    const start = this.wordStarts[word] as number; // in range
    for (let i = 0; i < prefix.length; i++) {
      const difference = (this.text[start + i] as number) - prefix.charCodeAt(i);
      if (difference !== 0) return difference; // at the latest at the 0 that ends the word
    }
    return 0;
  }
}

/** The sets of games of the prefixes that many games have, by the key of their words; shorter prefixes first. */
export function* denseBitmaps(table: PrefixTable, size: number): Generator<void, Map<number, Bitmap>> {
  const bitmaps = new Map<number, Bitmap>();
  const open = [{ from: 0, to: table.words, depth: 0 }]; // words with `depth` units in common
  for (const { from, to, depth } of open) {
    for (let word = from; word < to;) {
      const unit = table.unit(word, depth);
      const range = { from: word, to: table.firstWord(word, (other) => table.unit(other, depth) > unit, to) };
      word = range.to;
      if (unit === 0 || table.count(range) * DENSE_SHARE <= size) continue;
      if (bitmaps.size === MAX_DENSE) return bitmaps;

      const bitmap = new Bitmap(size);
      bitmaps.set(table.key(range), bitmap);
      yield* table.fillSlowly(range, bitmap);
      open.push({ ...range, depth: commonUnits(table, range, depth + 1) });
    }
    yield;
  }
  return bitmaps;
}

/** How long the beginning is that all words of the range share; `known` units of it are known. */
function commonUnits(table: PrefixTable, { from, to }: WordRange, known: number): number {
  let units = known;
  while (table.unit(from, units) !== 0 && table.unit(from, units) === table.unit(to - 1, units)) units++;
  return units;
}
