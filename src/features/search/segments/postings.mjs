// @ts-check

/** A term of more than one in this many profiles is stored as a bitmap, which is shorter than a list. */
const MAX_LIST_RATIO = 32;

/** Kind of the terms of `sets` that are frequent prefixes of words. */
export const PREFIX = 'p';

/** Returns whether a term is stored as a bitmap. @param {number} count profiles with the term @param {number} size all profiles */
export const isBitmapOf = (count, size) => count * MAX_LIST_RATIO > size;

/** Returns the hash by which the profile of an ID is found. @param {Buffer} id */
export function hashId(id) {
  let hash = 2166136261;
  for (const byte of id) hash = Math.imul(hash ^ byte, 16777619);
  // IDs are often consecutive numbers. Without this, they would make long runs of slots that are taken.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Returns the number of bits of a 32-bit word. @param {number} word */
export function countWord(word) {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** @param {Uint32Array} bits */
export function countBits(bits) {
  let count = 0;
  for (let at = 0; at < bits.length; at++) count += countWord(/** @type {number} */ (bits[at]));
  return count;
}

/** @param {Uint32Array} bits @param {number} rank */
export function setBit(bits, rank) {
  const word = /** @type {number} */ (bits[rank >>> 5]);
  bits[rank >>> 5] = word | (1 << (rank & 31));
}

/** @param {Uint32Array} bits @param {number} rank */
export function hasBit(bits, rank) {
  const word = /** @type {number} */ (bits[rank >>> 5]);
  return ((word >>> (rank & 31)) & 1) === 1;
}
