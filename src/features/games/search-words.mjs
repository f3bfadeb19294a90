// @ts-check
// Word folding for names and queries. Plain JavaScript, because the index worker imports it without compiling it.
import { hash } from 'node:crypto';
import { normalizeText } from '../../model/normalize.mjs';

/** Word of a query, separated by white space. It matches `joined` (`halflife`) or all `parts` (`half`, `life`).
 * @typedef {{ joined: string, parts: string[] }} QueryWord */

/** Folded word of a name. Its index words are the suffixes of `text` at `starts` (UTF-16 offsets, ascending from 0). `text` never
 * contains U+0000.
 * @typedef {{ text: string, starts: number[] }} NameChunk */

/** Characters removed first, because NFKD would turn an acute accent into a space and a trademark sign into letters. */
const OMITTED = /['’‘‛ʼʻ`´＇′™℠]/g;

/** Accents and variation selectors. Marks of other scripts are part of a letter and stay. */
const ACCENTS = /[\u0300-\u036f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;

/** Replacements of letters with a stroke and of ligatures, which have no Unicode decomposition. */
const UNDECOMPOSED = /** @type {Readonly<Record<string, string>>} */ ({
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  þ: 'th',
  ς: 'σ',
});
const UNDECOMPOSED_LETTER = new RegExp(`[${Object.keys(UNDECOMPOSED).join('')}]`, 'g');

const PART = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const MARK = /^\p{M}/u;

/** Scripts written without spaces. `scx`, because both kana share the prolonged sound mark. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;

/** ASCII text, which needs no normalization and no Unicode classes. */
const ASCII = /^[ -~]*$/;
const PLAIN = /^[a-z0-9]+$/;

/** Folds case, accents and width of letters. @param {string} text */
export function fold(text) {
  if (ASCII.test(text)) return text.toLowerCase();
  // After the decomposition, which can produce capitals (ℌ becomes H).
  const letters = normalizeText(text, 'NFKD')
    .toLowerCase()
    .replace(ACCENTS, '')
    .replace(UNDECOMPOSED_LETTER, (letter) => UNDECOMPOSED[letter] ?? letter);
  return normalizeText(letters, 'NFC');
}

/** Splits a text at white space, and each piece at punctuation, into folded parts. Omits pieces without any.
 * @param {string} text */
function splitWords(text) {
  /** @type {string[][]} */
  const found = [];
  const kept = text.replace(OMITTED, '');
  // Folded at once, because most texts are.
  const plain = ASCII.test(kept) ? kept.toLowerCase() : null;
  for (const piece of (plain ?? kept).split(/\s+/)) {
    const folded = plain === null ? fold(piece) : piece;
    const parts = PLAIN.test(folded) ? [folded] : folded.match(PART);
    if (parts) found.push(parts);
  }
  return found;
}

/** Adds the word starts inside a part in a script without spaces.
 * @param {string} part @param {number} offset @param {number[]} starts */
function addUnspacedStarts(part, offset, starts) {
  let position = offset;
  let afterUnspaced = false;
  for (const character of part) {
    if (!MARK.test(character)) {
      const unspaced = UNSPACED.test(character);
      if (position > offset && (unspaced || afterUnspaced)) starts.push(position);
      afterUnspaced = unspaced;
    }
    position += character.length;
  }
}

/** Reports whether a folded text has letters of a script without spaces. @param {string} text */
export const hasUnspacedScript = (text) => !PLAIN.test(text) && UNSPACED.test(text);

/** Returns the index words of a name; overlapping words share one text. @param {string} name @returns {NameChunk[]} */
export function nameChunks(name) {
  return splitWords(name).map((parts) => {
    /** @type {number[]} */
    const starts = [];
    let offset = 0;
    for (const part of parts) {
      starts.push(offset);
      if (hasUnspacedScript(part)) addUnspacedStarts(part, offset, starts);
      offset += part.length;
    }
    return { text: parts.join(''), starts };
  });
}

/** Returns the distinct index words of a name; `Half-Life` has `halflife` and `life`. @param {string} name */
export function nameWords(name) {
  return [...new Set(nameChunks(name).flatMap(({ text, starts }) => starts.map((start) => text.slice(start))))];
}

/** Returns the distinct words of a query; empty if it has no letter or digit. @param {string} query @returns {QueryWord[]} */
export function queryWords(query) {
  /** @type {Map<string, QueryWord>} */
  const words = new Map();
  for (const parts of splitWords(query)) words.set(parts.join(' '), { joined: parts.join(''), parts });
  return [...words.values()];
}

/** Marks whole names among index words, which otherwise have only letters and digits. */
const WHOLE_NAME = '=';

/** Returns the index word of a whole name: a digest of 54 bits, because names would multiply the size of the index. All words have
 * one length, so a prefix search finds no longer name. @param {readonly string[]} words */
const wholeNameWord = (words) => WHOLE_NAME + hash('sha256', words.join(' '), 'base64url').slice(0, 9);

/** Returns the index words of a whole name, with punctuation inside words as nothing and as a gap: `Half-Life` is `halflife` and
 * `half life`. @param {string} name */
export function wholeNameWords(name) {
  const words = splitWords(name);
  if (words.length === 0) return [];
  const joined = wholeNameWord(words.map((parts) => parts.join('')));
  return words.every((parts) => parts.length === 1) ? [joined] : [joined, wholeNameWord(words.flat())];
}

/** Returns the word of a query for a whole name; null if it has no letter or digit. @param {string} query @returns {QueryWord | null} */
export function wholeNameQuery(query) {
  const [joined, separate = joined] = wholeNameWords(query);
  return joined === undefined || separate === undefined ? null : { joined, parts: [separate] };
}

/** Reports whether one game matches a query, as `NameIndex.search` does for many.
 * @param {readonly QueryWord[]} words @param {readonly string[]} indexWords */
export function matches(words, indexWords) {
  const begins = (/** @type {string} */ text) => indexWords.some((word) => word.startsWith(text));
  return words.length > 0 && words.every(({ joined, parts }) => begins(joined) || parts.every(begins));
}
