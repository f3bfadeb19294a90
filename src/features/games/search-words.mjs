// @ts-check
// Word folding for names and queries. Plain JavaScript: Node loads the index worker, which shares it, without a build.

/** A white-space separated piece of a query: matches `joined` (`halflife`), or all `parts` (`half`, `life`).
 * @typedef {{ joined: string, parts: string[] }} QueryWord */

/** A folded piece of a name. Index words: the suffixes of `text` (no U+0000) at `starts` (UTF-16, ascending from 0).
 * @typedef {{ text: string, starts: number[] }} NameChunk */

/** Left out before anything else: NFKD would turn the acute accent into a space and the trademark sign into letters. */
const OMITTED = /['’‘‛ʼʻ`´＇′™℠]/g;

/** Accents, and the selectors that only choose between shapes of one character. Marks of other scripts are letters. */
const ACCENTS = /[\u0300-\u036f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;

/** Letters that carry a stroke or join two letters without Unicode knowing a decomposition. */
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

/** Scripts written without spaces. Script extensions, because the prolonged sound mark is shared by both kana. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;

/** Most names and queries are ASCII; these two spare them normalization and Unicode classes. */
const ASCII = /^[ -~]*$/;
const PLAIN = /^[a-z0-9]+$/;

/** Makes spellings that differ only in case, accents or width of letters the same text. @param {string} text */
export function fold(text) {
  if (ASCII.test(text)) return text.toLowerCase();
  // Lower case comes after the decomposition, which can bring capitals to light (ℌ is H).
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(ACCENTS, '')
    .replace(UNDECOMPOSED_LETTER, (letter) => UNDECOMPOSED[letter] ?? letter)
    .normalize('NFC');
}

/** The folded, punctuation-free parts of each piece; pieces without a word are dropped. @param {string} text */
function pieces(text) {
  /** @type {string[][]} */
  const found = [];
  for (const piece of text.replace(OMITTED, '').split(/\s+/)) {
    const folded = fold(piece);
    const parts = PLAIN.test(folded) ? [folded] : folded.match(PART);
    if (parts) found.push(parts);
  }
  return found;
}

/** Adds word starts inside an unspaced script. @param {string} part @param {number} offset @param {number[]} starts */
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

/** The index words of a name; overlapping words share one text. @param {string} name @returns {NameChunk[]} */
export function nameChunks(name) {
  return pieces(name).map((parts) => {
    /** @type {number[]} */
    const starts = [];
    let offset = 0;
    for (const part of parts) {
      starts.push(offset);
      if (UNSPACED.test(part)) addUnspacedStarts(part, offset, starts);
      offset += part.length;
    }
    return { text: parts.join(''), starts };
  });
}

/** Distinct index words: `Half-Life` gives `halflife`, `life`; queries match prefixes. @param {string} name */
export function nameWords(name) {
  return [...new Set(nameChunks(name).flatMap(({ text, starts }) => starts.map((start) => text.slice(start))))];
}

/** Distinct query words; none (no match) without a letter or digit. @param {string} query @returns {QueryWord[]} */
export function queryWords(query) {
  /** @type {Map<string, QueryWord>} */
  const words = new Map();
  for (const parts of pieces(query)) words.set(parts.join(' '), { joined: parts.join(''), parts });
  return [...words.values()];
}

/** `NameIndex.search` for one game. @param {readonly QueryWord[]} words @param {readonly string[]} indexWords */
export function matches(words, indexWords) {
  const begins = (/** @type {string} */ text) => indexWords.some((word) => word.startsWith(text));
  return words.length > 0 && words.every(({ joined, parts }) => begins(joined) || parts.every(begins));
}
