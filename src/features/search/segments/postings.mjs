// @ts-check

/** A term of more than one in this many profiles is stored as a bitmap, which is shorter than a list. */
const MAX_LIST_RATIO = 32;

/** Kind of the terms of `sets` that are frequent prefixes of words. */
export const PREFIX = 'p';

/** Returns whether a term is stored as a bitmap. @param {number} count profiles with the term @param {number} size all profiles */
export const isBitmapOf = (count, size) => count * MAX_LIST_RATIO > size;

/** Returns the hash by which the profile of an ID is found: HalfSipHash-1-3. Without its key, nobody can choose IDs that collide.
 * @param {Uint8Array} id @param {readonly [number, number]} key random 32-bit numbers */
export function hashId(id, [key0, key1]) {
  let v0 = key0;
  let v1 = key1;
  let v2 = 0x6c796765 ^ key0;
  let v3 = 0x74656462 ^ key1;
  const words = (id.length >>> 2) + 1;
  for (let word = 0; word < words + 3; word++) {
    const at = word * 4;
    // The last word has the rest of the bytes, and the length.
    let message = word === words - 1 ? id.length << 24 : 0;
    if (word < words) {
      for (let byte = 0; byte < 4 && at + byte < id.length; byte++) {
        message |= /** @type {number} */ (id[at + byte]) << (byte * 8);
      }
    } else if (word === words) v2 ^= 0xff;
    v3 ^= message;
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
    v0 ^= message;
  }
  return (v1 ^ v3) >>> 0;
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
