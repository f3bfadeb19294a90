// @ts-check

/** Terms per block of a table. The first term of each block is kept in memory. */
const BLOCK_TERMS = 128;

/** Bytes of an entry beside its text: length of the text, number of profiles, and position of their ranks. */
const ENTRY_BYTES = 16;

/** Sorts after every character of a term. */
const LAST_CHARACTER = '\uffff';

/** Profiles with a term: a bitmap of ranks, or a list of ascending ranks.
 * @typedef {{ readonly offset: number, readonly count: number, readonly isBitmap: boolean }} Postings */

/** Position of a table in its file. Terms are in the order of their UTF-16 units.
 * @typedef {object} TableIndex
 * @property {readonly string[]} firstTerms first term of each block
 * @property {readonly number[]} offsets position of each block, and the end of the last one
 * @property {number} postingsEnd end of the ranks of the last term */

/** Sorted terms with the ranks of their profiles. */
export class TermTable {
  /** @param {import('./segment-file.mjs').SegmentFile} file @param {TableIndex} index */
  constructor(file, index) {
    this.file = file;
    this.index = index;
  }

  /** Returns the positions of the ranks of all terms with a prefix, which are contiguous.
   * @param {string} prefix @returns {import('./segment-file.mjs').Section} */
  rangeOf(prefix) {
    const offset = this.#offsetFrom(prefix);
    return { offset, length: this.#offsetFrom(prefix + LAST_CHARACTER) - offset };
  }

  /** Yields the terms with a prefix, in order.
   * @param {string} prefix @returns {Generator<readonly [string, Postings]>} */
  *withPrefix(prefix) {
    for (let block = Math.max(0, this.#blockOf(prefix)); block < this.index.firstTerms.length; block++) {
      for (const entry of this.#readBlock(block)) {
        if (entry[0].startsWith(prefix)) yield entry;
        else if (entry[0] > prefix) return;
      }
    }
  }

  /** @param {string} term @returns {Postings | null} */
  find(term) {
    const block = this.#blockOf(term);
    if (block < 0) return null;
    for (const [text, postings] of this.#readBlock(block)) if (text === term) return postings;
    return null;
  }

  /** Returns the last block whose first term is not after a term; -1 if there is none. @param {string} term */
  #blockOf(term) {
    const { firstTerms } = this.index;
    let from = 0;
    let to = firstTerms.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (/** @type {string} */ (firstTerms[middle]) <= term) from = middle + 1;
      else to = middle;
    }
    return from - 1;
  }

  /** Returns the position of the ranks of the first term that is not before a text. @param {string} text */
  #offsetFrom(text) {
    const block = Math.max(0, this.#blockOf(text));
    for (let at = block; at < Math.min(block + 2, this.index.firstTerms.length); at++) {
      for (const [term, { offset }] of this.#readBlock(at)) if (term >= text) return offset;
    }
    return this.index.postingsEnd;
  }

  /** @param {number} block @returns {(readonly [string, Postings])[]} */
  #readBlock(block) {
    const start = /** @type {number} */ (this.index.offsets[block]);
    const bytes = this.file.read(start, /** @type {number} */ (this.index.offsets[block + 1]) - start);
    /** @type {(readonly [string, Postings])[]} */
    const entries = [];
    for (let at = 0; at < bytes.length;) {
      const textStart = at + ENTRY_BYTES;
      const textEnd = textStart + bytes.readUInt32LE(at);
      const count = bytes.readUInt32LE(at + 4);
      const position = bytes.readDoubleLE(at + 8);
      const postings = { offset: Math.abs(position), count, isBitmap: position < 0 };
      entries.push([bytes.toString('utf8', textStart, textEnd), postings]);
      at = textEnd;
    }
    return entries;
  }
}

/** Collects the terms of a table, and writes them after their ranks. */
export class TermTableWriter {
  /** @type {Buffer[]} */
  #blocks = [];
  /** Entries of the block that is being filled, with room for more. */
  #block = Buffer.allocUnsafe(8192);
  #used = 0;
  #entries = 0;
  /** @type {string[]} */
  #firstTerms = [];

  /** Adds a term; terms come in their order. @param {string} term @param {Postings} postings */
  add(term, { offset, count, isBitmap }) {
    if (this.#entries === 0) this.#firstTerms.push(term);
    const length = Buffer.byteLength(term);
    const end = this.#used + ENTRY_BYTES + length;
    if (end > this.#block.length) this.#block = Buffer.concat([this.#block], Math.max(end, this.#block.length * 2));
    const block = this.#block;
    block.writeUInt32LE(length, this.#used);
    block.writeUInt32LE(count, this.#used + 4);
    // The sign marks a bitmap, because positions are never negative.
    block.writeDoubleLE(isBitmap ? -offset : offset, this.#used + 8);
    block.write(term, this.#used + ENTRY_BYTES);
    this.#used = end;
    this.#entries += 1;
    if (this.#entries === BLOCK_TERMS) this.#endBlock();
  }

  #endBlock() {
    this.#blocks.push(Buffer.from(this.#block.subarray(0, this.#used)));
    this.#used = 0;
    this.#entries = 0;
  }

  /** @param {import('./segment-file.mjs').SegmentFileWriter} file @returns {TableIndex} */
  finish(file) {
    if (this.#entries > 0) this.#endBlock();
    const postingsEnd = file.position;
    const offsets = [file.position];
    for (const block of this.#blocks) {
      file.write(block);
      offsets.push(file.position);
    }
    return { firstTerms: this.#firstTerms, offsets, postingsEnd };
  }
}
