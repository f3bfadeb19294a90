// @ts-check
import { hashId } from './postings.mjs';
import { SegmentFile } from './segment-file.mjs';
import { SequentialReader } from './sequential-reader.mjs';
import { TermTable } from './term-table.mjs';

/** @typedef {import('./term-table.mjs').Postings} Postings */
/** @typedef {import('./segment-file.mjs').Section} Section */

/** Contents of a segment.
 * @typedef {object} Trailer
 * @property {number} count number of profiles
 * @property {readonly [number, number]} hashKey key of the hashes of IDs
 * @property {Record<'ids' | 'idStarts' | 'followers' | 'lastActive' | 'byActivity' | 'hashes', Section>} sections
 * @property {import('./term-table.mjs').TableIndex} words
 * @property {import('./term-table.mjs').TableIndex} sets */

/** Immutable part of the index: some profiles of one platform, and their terms. The rank of a profile is its position by
 * followers, then ID, both descending. */
export class Segment {
  #file;
  #sections;
  #hashKey;
  #number = Buffer.allocUnsafe(8);
  #slots = new Uint32Array(8);

  /** Opens a segment. @param {string} path @throws Error if the file is missing, damaged or of another version */
  constructor(path) {
    this.#file = new SegmentFile(path);
    try {
      const { count, hashKey, sections, words, sets } = /** @type {Trailer} */ (this.#file.readTrailer());
      this.count = count;
      this.#sections = sections;
      this.#hashKey = hashKey;
      /** Words of names and descriptions. */
      this.words = new TermTable(this.#file, words);
      /** Attributes and frequent prefixes. */
      this.sets = new TermTable(this.#file, sets);
    } catch (error) {
      this.#file.close();
      throw error;
    }
  }

  get size() {
    return this.#file.size;
  }

  /** @throws Error if the file is damaged */
  verify() {
    this.#file.verify();
  }

  close() {
    this.#file.close();
  }

  /** @param {number} rank */
  followersAt(rank) {
    return this.#double(this.#sections.followers.offset + rank * 8);
  }

  /** @param {number} rank */
  lastActiveAt(rank) {
    return this.#double(this.#sections.lastActive.offset + rank * 8);
  }

  /** Reads the last activity of consecutive ranks. @param {number} from @param {Float64Array} target */
  readLastActive(from, target) {
    this.#file.readInto(target, this.#sections.lastActive.offset + from * 8);
  }

  /** Reads ranks in the order of last activity, then ID, both descending. @param {number} from @param {Uint32Array} target */
  readByActivity(from, target) {
    this.#file.readInto(target, this.#sections.byActivity.offset + from * 4);
  }

  /** Returns the bytes of an ID. @param {number} rank */
  idAt(rank) {
    const bounds = this.#file.read(this.#sections.idStarts.offset + rank * 4, 8);
    const start = bounds.readUInt32LE(0);
    return this.#file.read(this.#sections.ids.offset + start, bounds.readUInt32LE(4) - start);
  }

  /** Returns the rank of a profile; -1 if it is not in the segment. @param {Buffer} id */
  rankOf(id) {
    const { offset, length } = this.#sections.hashes;
    const slots = length / 4;
    if (slots === 0) return -1;
    for (let slot = hashId(id, this.#hashKey) % slots; ;) {
      // A read costs much more than its bytes.
      const read = this.#slots.subarray(0, slots - slot);
      this.#file.readInto(read, offset + slot * 4);
      for (const taken of read) if (taken === 0 || this.idAt(taken - 1).equals(id)) return taken - 1;
      slot = (slot + read.length) % slots;
    }
  }

  /** Reads a list of ranks. @param {Section} section */
  readRanks({ offset, length }) {
    const ranks = new Uint32Array(length / 4);
    if (length > 0) this.#file.readInto(ranks, offset);
    return ranks;
  }

  /** Reads the ranks of a term. @param {Postings} postings */
  readPostings({ offset, count, isBitmap }) {
    if (!isBitmap) return this.readRanks({ offset, length: count * 4 });
    const bits = new Uint32Array(Math.ceil(this.count / 32));
    this.#file.readInto(bits, offset);
    return ranksOf(bits, count);
  }

  /** Returns a reader of the ranks of terms in their order. @returns {(postings: Postings) => Uint32Array} */
  postingsReader() {
    const reader = this.sequentialReader();
    return ({ offset, count, isBitmap }) => {
      const numbers = reader.readNumbers(offset, isBitmap ? Math.ceil(this.count / 32) : count);
      return isBitmap ? ranksOf(numbers, count) : numbers;
    };
  }

  /** Returns a reader of lists and bitmaps in their order. */
  sequentialReader() {
    return new SequentialReader({
      position: this.#file.size,
      readInto: (target, offset) => this.#file.readInto(target, offset),
    });
  }

  /** Reads a part of a bitmap. @param {number} offset @param {number} fromWord @param {Uint32Array} target */
  readBits(offset, fromWord, target) {
    this.#file.readInto(target, offset + fromWord * 4);
  }

  /** Reads all IDs. @returns {{ bytes: Buffer, starts: Uint32Array }} */
  readIds() {
    const { ids, idStarts } = this.#sections;
    return { bytes: this.#file.read(ids.offset, ids.length), starts: this.readRanks(idStarts) };
  }

  /** Reads a column of all profiles. @param {'followers' | 'lastActive'} column */
  readColumn(column) {
    const values = new Float64Array(this.count);
    if (this.count > 0) this.#file.readInto(values, this.#sections[column].offset);
    return values;
  }

  /** @param {number} offset */
  #double(offset) {
    this.#file.readInto(this.#number, offset);
    return this.#number.readDoubleLE(0);
  }
}

/** Returns the numbers of the bits of a bitmap. @param {Uint32Array} bits @param {number} count */
export function ranksOf(bits, count) {
  const ranks = new Uint32Array(count);
  let found = 0;
  for (let at = 0; at < bits.length; at++) {
    for (let word = /** @type {number} */ (bits[at]); word !== 0; word &= word - 1) {
      ranks[found++] = at * 32 + 31 - Math.clz32(word & -word);
    }
  }
  return ranks;
}
