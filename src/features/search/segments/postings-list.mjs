// @ts-check
import { NumberList } from './number-list.mjs';

/** @typedef {import('./term-table.mjs').Postings} Postings */

/** Postings of many terms, in little memory. */
export class PostingsList {
  #offsets = new NumberList(Float64Array);
  #counts = new NumberList(Uint32Array);

  get length() {
    return this.#offsets.length;
  }

  /** @param {Postings} postings */
  push({ offset, count, isBitmap }) {
    // The sign marks a bitmap.
    this.#offsets.push(isBitmap ? -offset : offset);
    this.#counts.push(count);
  }

  /** @param {number} index @returns {Postings} */
  at(index) {
    const offset = this.#offsets.at(index);
    return { offset: Math.abs(offset), count: this.#counts.at(index), isBitmap: offset < 0 };
  }

  /** Returns the number of profiles of a term. @param {number} index */
  countAt(index) {
    return this.#counts.at(index);
  }

  clear() {
    this.#offsets.length = 0;
    this.#counts.length = 0;
  }
}
