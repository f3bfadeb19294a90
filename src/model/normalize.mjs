// @ts-check
// Plain JavaScript, because the index worker imports it without compiling it.

/** Marks in a row that no language needs. `String.normalize` takes quadratic time for a row of them: seconds for 100 KB. */
const MAX_MARKS = 30;

/** A mark that separates others, and is invisible: the combining grapheme joiner. */
const SEPARATOR = '\u034f';

// The last two are letters, but become marks.
const MANY_MARKS = /(?:[^\P{M}\u034f]|[\uff9e\uff9f]){31}/u;

const FIRST_MARKS = /((?:[^\P{M}\u034f]|[\uff9e\uff9f]){30})(?=[^\P{M}\u034f]|[\uff9e\uff9f])/gu;

/**
 * Normalizes a text in linear time. Rows of marks are divided as in the Stream-Safe Text Format (Unicode Standard Annex 15).
 * @param {string} text @param {'NFC' | 'NFKC' | 'NFKD'} form
 */
export function normalizeText(text, form) {
  const isSafe = text.length <= MAX_MARKS || !MANY_MARKS.test(text);
  return (isSafe ? text : text.replace(FIRST_MARKS, `$1${SEPARATOR}`)).normalize(form);
}
