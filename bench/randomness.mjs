// @ts-check
/** Random numbers that depend on a record's number only, and IDs that can be converted back to the number. */
import { SENTENCE_WORDS, SURPRISES } from './words.mjs';

/** Creates a mulberry32 generator. 32 bits of state are enough here, and seeding is fast enough for every record. */
export function random(/** @type {number} */ seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** @typedef {() => number} Random */

export const seedOf = (/** @type {number} */ kind, /** @type {number} */ index) =>
  Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(kind, 0x85ebca6b);

// IDs are scattered, as with many sources: otherwise neighbours in time would be neighbours in the primary key. Multiplying
// modulo a prime never repeats an ID; products stay exact up to a hundred million records. All IDs have ten digits, so
// that their order as text and as numbers is the same.
const ID_PRIME = 999_999_937;
const ID_STEP = 7_368_787;
const ID_BASE = 1_000_000_000;
const ID_STEP_INVERSE = inverse(BigInt(ID_STEP), BigInt(ID_PRIME));

export const idOf = (/** @type {number} */ index) => String(ID_BASE + ((index * ID_STEP) % ID_PRIME));

/** Returns the number of a profile or item from its ID, so that a check can generate the expected record. */
export const indexOf = (/** @type {string} */ id) =>
  Number((BigInt(Number(id) - ID_BASE) * ID_STEP_INVERSE) % BigInt(ID_PRIME));

function inverse(/** @type {bigint} */ value, /** @type {bigint} */ prime) {
  let [result, base, exponent] = [1n, value, prime - 2n]; // Fermat's little theorem
  for (; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = (result * base) % prime;
    base = (base * base) % prime;
  }
  return result;
}

export const pick = (/** @type {Random} */ next, /** @type {readonly string[]} */ list) =>
  /** @type {string} */ (list[Math.floor(next() * list.length)]);

/** Returns a number below `size`, skewed to small ones: with 2.5, the first of 2,000 gets about 5 %. */
export const skewed = (/** @type {Random} */ next, /** @type {number} */ size) => Math.floor(size * next() ** 2.5);

export const upTo = (/** @type {Random} */ next, /** @type {number} */ limit) => Math.floor(next() * limit);

export function sentence(/** @type {Random} */ next, /** @type {number} */ words) {
  let text = pick(next, SENTENCE_WORDS);
  for (let i = 1; i < words; i++) text += ' ' + pick(next, SENTENCE_WORDS);
  // Some text beyond ASCII, so that bytes and characters differ.
  return next() < 0.1 ? `${text} ${pick(next, SURPRISES)}` : text;
}
