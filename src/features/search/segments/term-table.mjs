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

/** Contiguous entries of a block, from the byte `from` to before `to`.
 * @typedef {{ readonly block: number, readonly bytes: Buffer, readonly from: number, readonly to: number }} EntryRun */

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
    const first = this.#runs(prefix).next().value;
    if (first === undefined) return { offset: this.index.postingsEnd, length: 0 };
    const lastBlock = this.#blockOf(prefix + LAST_CHARACTER);
    const { block, bytes, to } = lastBlock > first.block ? this.#readRun(lastBlock, Buffer.from(prefix)) : first;
    const { offset } = readPostings(first.bytes, first.from);
    return { offset, length: this.#offsetAt(block, bytes, to) - offset };
  }

  /** Yields the terms with a prefix, in order.
   * @param {string} prefix @returns {Generator<readonly [string, Postings]>} */
  *withPrefix(prefix) {
    for (const { bytes, from, to } of this.#runs(prefix)) {
      for (let at = from; at < to; at = nextEntry(bytes, at)) yield [readTerm(bytes, at), readPostings(bytes, at)];
    }
  }

  /** @param {string} term @returns {Postings | null} */
  find(term) {
    const block = this.#blockOf(term);
    if (block < 0) return null;
    const bytes = this.#readBlock(block);
    const wanted = Buffer.from(term);
    for (let at = 0; at < bytes.length; at = nextEntry(bytes, at)) {
      if (bytes.readUInt32LE(at) === wanted.length && beginsWith(bytes, at, wanted)) return readPostings(bytes, at);
    }
    return null;
  }

  /** Yields the entries with a prefix, which are contiguous, block by block.
   * @param {string} prefix @returns {Generator<EntryRun, void>} */
  *#runs(prefix) {
    const { firstTerms } = this.index;
    const wanted = Buffer.from(prefix);
    // No term has half a surrogate pair, which UTF-8 cannot encode.
    if (wanted.toString('utf8') !== prefix) return;
    for (let block = Math.max(0, this.#blockOf(prefix)); block < firstTerms.length; block++) {
      const run = this.#readRun(block, wanted);
      if (run.from < run.to) yield run;
      if (run.to < run.bytes.length || firstTerms[block + 1]?.startsWith(prefix) !== true) return;
    }
  }

  /** Finds the entries of a block with a prefix. @param {number} block @param {Buffer} prefix @returns {EntryRun} */
  #readRun(block, prefix) {
    const bytes = this.#readBlock(block);
    let from = 0;
    while (from < bytes.length && !beginsWith(bytes, from, prefix)) from = nextEntry(bytes, from);
    let to = from;
    while (to < bytes.length && beginsWith(bytes, to, prefix)) to = nextEntry(bytes, to);
    return { block, bytes, from, to };
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

  /** Returns the position of the ranks of an entry, which may be the first of the next block.
   * @param {number} block @param {Buffer} bytes @param {number} at */
  #offsetAt(block, bytes, at) {
    if (at < bytes.length) return readPostings(bytes, at).offset;
    if (block + 1 === this.index.firstTerms.length) return this.index.postingsEnd;
    return readPostings(this.#readBlock(block + 1), 0).offset;
  }

  /** @param {number} block @returns {Buffer} its entries */
  #readBlock(block) {
    const start = /** @type {number} */ (this.index.offsets[block]);
    return this.file.read(start, /** @type {number} */ (this.index.offsets[block + 1]) - start);
  }
}

/*
 * An entry of a block: length of the term, number of profiles, position of their ranks, and the term. A search decodes
 * only the entries that it needs, and compares the bytes of the others.
 */

/** @param {Buffer} block @param {number} at */
const nextEntry = (block, at) => at + ENTRY_BYTES + block.readUInt32LE(at);

/** @param {Buffer} block @param {number} at */
const readTerm = (block, at) => block.toString('utf8', at + ENTRY_BYTES, nextEntry(block, at));

/** @param {Buffer} block @param {number} at @returns {Postings} */
function readPostings(block, at) {
  const position = block.readDoubleLE(at + 8);
  return { offset: Math.abs(position), count: block.readUInt32LE(at + 4), isBitmap: position < 0 };
}

/** @param {Buffer} block @param {number} at @param {Buffer} prefix */
function beginsWith(block, at, prefix) {
  const start = at + ENTRY_BYTES;
  const end = start + prefix.length;
  if (prefix.length === 0) return true;
  // The terms of a block differ in their last characters rather than in their first ones.
  if (prefix.length > block.readUInt32LE(at) || block[end - 1] !== prefix[prefix.length - 1]) return false;
  return block.compare(prefix, 0, prefix.length, start, end) === 0;
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
