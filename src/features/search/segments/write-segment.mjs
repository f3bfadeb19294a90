// @ts-check
import { randomBytes } from 'node:crypto';
import { FrequentPrefixes } from './frequent-prefixes.mjs';
import { hashId, isBitmapOf, PREFIX } from './postings.mjs';
import { SegmentFileWriter } from './segment-file.mjs';
import { TermTableWriter } from './term-table.mjs';

/** @typedef {import('./term-table.mjs').Postings} Postings */

/** Profiles of a segment, in any order.
 * @typedef {object} SegmentProfiles
 * @property {Buffer} ids bytes of all IDs
 * @property {Uint32Array} idStarts start of each ID, and the end of the last one
 * @property {Float64Array} followers
 * @property {Float64Array} lastActive */

/** Compares IDs by their bytes. @param {SegmentProfiles} profiles @param {number} a @param {number} b */
function compareIds({ ids, idStarts }, a, b) {
  const [startA = 0, endA] = [idStarts[a], idStarts[a + 1]];
  const [startB, endB] = [idStarts[b], idStarts[b + 1]];
  return ids.compare(ids, startB, endB, startA, endA);
}

/** Sorts profiles by a column, then ID, both descending. @param {SegmentProfiles} profiles @param {Float64Array} column
 * @returns {Uint32Array} the profiles in that order */
export function sortProfiles(profiles, column) {
  const order = new Uint32Array(column.length).map((_, index) => index);
  return order.sort((a, b) => Number(column[b]) - Number(column[a]) || compareIds(profiles, b, a));
}

/** Arranges profiles by rank. @param {SegmentProfiles} profiles @param {Uint32Array} order @returns {SegmentProfiles} */
function byRank({ ids, idStarts, followers, lastActive }, order) {
  const starts = new Uint32Array(order.length + 1);
  const bytes = Buffer.allocUnsafe(ids.length);
  let end = 0;
  for (const [rank, profile] of order.entries()) {
    end += ids.copy(bytes, end, idStarts[profile], idStarts[profile + 1]);
    starts[rank + 1] = end;
  }
  const sorted = (/** @type {Float64Array} */ column) => Float64Array.from(order, (profile) => Number(column[profile]));
  return {
    ids: bytes.subarray(0, end),
    idStarts: starts,
    followers: sorted(followers),
    lastActive: sorted(lastActive),
  };
}

/** Writes a segment.
 * @param {string} path
 * @param {SegmentProfiles} profiles
 * @param {Uint32Array} order the profiles by rank
 * @param {Iterable<readonly [string, Uint32Array]>} words words by their order, each with its ranks, ascending
 * @param {Iterable<readonly [string, Uint32Array]>} sets likewise the attributes */
export function writeSegment(path, profiles, order, words, sets) {
  const file = new SegmentFileWriter(path);
  try {
    const sorted = byRank(profiles, order);
    const byActivity = sortProfiles(sorted, sorted.lastActive);
    const random = randomBytes(8);
    const hashKey = /** @type {const} */ ([random.readUInt32LE(0), random.readUInt32LE(4)]);
    const sections = {
      ids: file.writeSection(sorted.ids),
      idStarts: file.writeSection(sorted.idStarts),
      followers: file.writeSection(sorted.followers),
      lastActive: file.writeSection(sorted.lastActive),
      byActivity: file.writeSection(byActivity),
      hashes: file.writeSection(hashTable(sorted, hashKey)),
    };
    const prefixes = new FrequentPrefixes(file, order.length);
    const wordTable = new TermTableWriter();
    for (const [word, ranks] of words) {
      const postings = writePostings(file, ranks, order.length);
      prefixes.add(word, postings);
      wordTable.add(word, postings);
    }
    const wordIndex = wordTable.finish(file);
    const setTable = new TermTableWriter();
    let hasPrefixes = false;
    for (const [term, ranks] of sets) {
      if (term > PREFIX && !hasPrefixes) {
        prefixes.write(setTable);
        hasPrefixes = true;
      }
      setTable.add(term, writePostings(file, ranks, order.length));
    }
    if (!hasPrefixes) prefixes.write(setTable);
    file.finish({ count: order.length, hashKey, sections, words: wordIndex, sets: setTable.finish(file) });
  } catch (error) {
    file.discard();
    throw error;
  }
}

/** Creates the table that finds ranks by ID: each rank plus 1 in the first free slot after its hash.
 * @param {SegmentProfiles} profiles @param {readonly [number, number]} hashKey */
function hashTable({ ids, idStarts }, hashKey) {
  const count = idStarts.length - 1;
  const slots = new Uint32Array(count * 2);
  for (let rank = 0; rank < count; rank++) {
    let slot = hashId(ids.subarray(idStarts[rank], idStarts[rank + 1]), hashKey) % slots.length;
    while (slots[slot] !== 0) slot = (slot + 1) % slots.length;
    slots[slot] = rank + 1;
  }
  return slots;
}

/** @param {SegmentFileWriter} file @param {Uint32Array} ranks @param {number} size number of profiles
 * @returns {Postings} */
function writePostings(file, ranks, size) {
  const isBitmap = isBitmapOf(ranks.length, size);
  const { offset } = file.writeSection(isBitmap ? bitmapOf(ranks, size) : ranks);
  return { offset, count: ranks.length, isBitmap };
}

/** @param {Uint32Array} ranks @param {number} size */
function bitmapOf(ranks, size) {
  const bits = new Uint32Array(Math.ceil(size / 32));
  for (const rank of ranks) bits[rank >>> 5] = Number(bits[rank >>> 5]) | (1 << (rank & 31));
  return bits;
}
