// @ts-check
import { fold, hasUnspacedScript, nameChunks } from '../../games/search-words.mjs';

/** Longest word of the index, in UTF-16 units: that of a query. */
const MAX_WORD = 200;

/** Likewise in scripts without spaces, where words begin at each character and reach to the end of their text. */
const MAX_UNSPACED_WORD = 24;

/** Returns the beginning of a word that the index has. It splits no character. @param {string} word @param {number} max */
function beginningOf(word, max) {
  if (word.length <= max) return word;
  const isSplit = /[\ud800-\udbff]/.test(word.charAt(max - 1));
  return word.slice(0, isSplit ? max - 1 : max);
}

/** Returns the words of the index that must begin with the parts of a query's word: the word, or in scripts without spaces the parts of
 * a long one. Each part begins where a word of the index does. @param {string} word @returns {string[]} */
export function indexedParts(word) {
  if (!hasUnspacedScript(word)) return [beginningOf(word, MAX_WORD)];
  const parts = [];
  const starts = nameChunks(word).flatMap(({ starts }) => starts);
  for (let start = 0; start < word.length;) {
    const part = beginningOf(word.slice(start), MAX_UNSPACED_WORD);
    parts.push(part);
    const end = start + part.length;
    if (end === word.length) break;
    // The next part may overlap with this one, but must go on.
    const next = starts.findLast((at) => at <= end);
    if (next === undefined || next <= start) break;
    start = next;
  }
  return parts;
}

/** Kinds of attributes; each is the first character of its terms. None is `PREFIX`. */
export const KINDS = /** @type {const} */ ({
  account_type: 'a',
  countries: 'c',
  game_ids: 'g',
  has: 'h',
  language: 'l',
  is_mature: 'm',
  topics: 't',
});

/** @typedef {keyof typeof KINDS} Attribute */

/** Ends the value of a term. The spelling of the value follows. */
const END = '\0';

/** Returns the form in which equal values are the same. @param {Attribute} attribute @param {string} value */
function normalize(attribute, value) {
  if (attribute === 'topics') return fold(value);
  return attribute === 'language' || attribute === 'countries' ? value.toLowerCase() : value;
}

/** Returns the prefix that the terms of all spellings of a value share. @param {Attribute} attribute @param {string} value */
export const valuePrefix = (attribute, value) =>
  KINDS[attribute] +
  normalize(attribute, value).replaceAll('\u0001', '\u0001\u0002').replaceAll(END, '\u0001\u0001') +
  END;

/** Returns the term of a value. @param {Attribute} attribute @param {string} value */
const termOf = (attribute, value) => valuePrefix(attribute, value) + value;

/** Splits the term of a value into what its spellings share, and the spelling. @param {string} term */
export function splitTerm(term) {
  const end = term.indexOf(END);
  return { value: term.slice(0, end), spelling: term.slice(end + 1) };
}

/** What the index needs to know of a creator.
 * @typedef {object} CreatorRecord
 * @property {import('../../profiles/profile.js').Profile} profile
 * @property {import('../../analysis/creator-analysis.js').CreatorAnalysis | null} analysis
 * @property {readonly string[]} has kinds of documents that exist
 * @property {readonly string[]} gameIds games of the creator's content */

/** Word without anything to fold but case, as most are. Of at most 200 letters, like `MAX_WORD`. */
const PLAIN = /^[A-Za-z0-9]{1,200}$/;

/** Lists the words that a query may begin, which may repeat. @param {CreatorRecord['profile']} profile @returns {string[]} */
export function wordsOf({ name, display_name, description }) {
  const words = [];
  for (const text of [name, display_name, description]) {
    if (text === null) continue;
    for (const piece of text.split(' ')) {
      if (PLAIN.test(piece)) words.push(piece.toLowerCase());
      else addWords(piece, words);
    }
  }
  return words;
}

/** @param {string} text @param {string[]} words */
function addWords(text, words) {
  for (const chunk of nameChunks(text)) {
    const max = hasUnspacedScript(chunk.text) ? MAX_UNSPACED_WORD : MAX_WORD;
    for (const start of chunk.starts) words.push(beginningOf(chunk.text.slice(start), max));
  }
}

/** Lists the terms of a creator's attributes, which may repeat. @param {CreatorRecord} record @returns {string[]} */
export function attributesOf({ profile, analysis, has, gameIds }) {
  const terms = [...has.map((kind) => termOf('has', kind)), ...gameIds.map((id) => termOf('game_ids', id))];
  if (profile.language !== null) terms.push(termOf('language', profile.language));
  if (profile.account_type !== null) terms.push(termOf('account_type', profile.account_type));
  if (profile.is_mature !== null) terms.push(termOf('is_mature', String(profile.is_mature)));
  if (analysis === null) return terms;
  for (const { topic, category } of [...analysis.classifications, analysis.primary_classification]) {
    terms.push(termOf('topics', topic), termOf('topics', category));
  }
  if (analysis.residence !== null) terms.push(termOf('countries', analysis.residence.country_code));
  return terms;
}
