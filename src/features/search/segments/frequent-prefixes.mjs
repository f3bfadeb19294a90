// @ts-check
import { countBits, isBitmapOf, PREFIX, setBit } from './postings.mjs';
import { PostingsList } from './postings-list.mjs';
import { SequentialReader } from './sequential-reader.mjs';

/** @typedef {import('./term-table.mjs').Postings} Postings */

/** Consecutive words with a prefix.
 * @typedef {{ readonly prefix: string, readonly from: number, readonly to: number }} WordRange */

/** Finds the prefixes that have more profiles than a list may hold, and stores a bitmap of each: a query by such a prefix would
 * read the lists of too many words. */
export class FrequentPrefixes {
  #file;
  #size;
  #words = new PostingsList();
  /** Prefixes of the last word, by their length: the first of their words, and the ranks that these list.
   * @type {{ readonly from: number, ranks: number }[]} */
  #open = [];
  #lastWord = '';
  /** @type {WordRange[]} */
  #candidates = [];

  /** @param {import('./segment-file.mjs').SegmentFileWriter} file @param {number} size number of profiles */
  constructor(file, size) {
    this.#file = file;
    this.#size = size;
  }

  /** Adds a word; words come in their order. @param {string} word @param {Postings} postings */
  add(word, postings) {
    let shared = 0;
    while (shared < this.#lastWord.length && word.charCodeAt(shared) === this.#lastWord.charCodeAt(shared)) shared += 1;
    this.#close(shared);
    while (this.#open.length < word.length) this.#open.push({ from: this.#words.length, ranks: 0 });
    this.#words.push(postings);
    for (const prefix of this.#open) prefix.ranks += postings.count;
    this.#lastWord = word;
  }

  /** Closes the prefixes that are longer than a length. @param {number} length */
  #close(length) {
    for (let prefix; this.#open.length > length && (prefix = this.#open.pop()) !== undefined;) {
      if (!isBitmapOf(prefix.ranks, this.#size)) continue;
      const text = this.#lastWord.slice(0, this.#open.length + 1);
      this.#candidates.push({ prefix: text, from: prefix.from, to: this.#words.length });
    }
  }

  /** Writes the bitmaps, and adds their terms to the table. @param {import('./term-table.mjs').TermTableWriter} table */
  write(table) {
    this.#close(0);
    this.#candidates.sort((a, b) => (a.prefix < b.prefix ? -1 : 1));
    /** @type {WordRange | null} */
    let last = null;
    /** @type {Postings | null} */
    let postings = null;
    for (const range of this.#candidates) {
      // Most words have several prefixes that no other word has.
      if (last === null || last.from !== range.from || last.to !== range.to) postings = this.#writeRange(range);
      last = range;
      if (postings !== null) table.add(PREFIX + range.prefix, postings);
    }
  }

  /** @param {WordRange} range @returns {Postings | null} null if the words share so many profiles that the prefix is not frequent */
  #writeRange({ from, to }) {
    if (to - from === 1) return this.#words.at(from);
    const bits = new Uint32Array(Math.ceil(this.#size / 32));
    const reader = new SequentialReader(this.#file);
    for (let word = from; word < to; word++) unite(bits, this.#words.at(word), reader);
    const count = countBits(bits);
    if (!isBitmapOf(count, this.#size)) return null;
    return { offset: this.#file.writeSection(bits).offset, count, isBitmap: true };
  }
}

/** @param {Uint32Array} bits @param {Postings} postings @param {SequentialReader} reader */
function unite(bits, { offset, count, isBitmap }, reader) {
  const values = reader.readNumbers(offset, isBitmap ? bits.length : count);
  if (isBitmap) for (let at = 0; at < bits.length; at++) bits[at] = Number(bits[at]) | Number(values[at]);
  else for (const rank of values) setBit(bits, rank);
}
