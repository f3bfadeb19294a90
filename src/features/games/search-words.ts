/**
 * What counts as a word in game search, for names and for queries alike. Index and query go through the same folding,
 * so that whatever two spellings are alike here, are alike everywhere.
 */

/** One white-space separated piece of a query: found by `joined`, or by all of `parts`. */
export interface QueryWord {
  /** The piece without its punctuation: `half-life` is `halflife`. */
  joined: string;
  /** The stretches between its punctuation: `half`, `life`. Without inner punctuation the one part is `joined`. */
  parts: string[];
}

/** One white-space separated piece of a name: every index word in it is the rest of `text` from one of `starts`. */
export interface NameChunk {
  /** The folded piece without its punctuation. Holds letters, digits and their marks only, so never U+0000. */
  text: string;
  /** Where words begin, in UTF-16 units, ascending from 0. */
  starts: number[];
}

/** Left out before anything else: NFKD would turn the acute accent into a space and the trademark sign into letters. */
const OMITTED = /['’‘‛ʼʻ`´＇′™℠]/g;

/** Accents, and the selectors that only choose between shapes of one character. Marks of other scripts are letters. */
const ACCENTS = /[\u0300-\u036f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;

/** Letters that carry a stroke or join two letters without Unicode knowing a decomposition. */
const UNDECOMPOSED: Readonly<Record<string, string>> = {
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
};
const UNDECOMPOSED_LETTER = new RegExp(`[${Object.keys(UNDECOMPOSED).join('')}]`, 'g');

const PART = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const MARK = /^\p{M}/u;

/** Scripts written without spaces. Script extensions, because the prolonged sound mark is shared by both kana. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;

/** Most names and queries are ASCII; these two spare them normalization and Unicode classes. */
const ASCII = /^[ -~]*$/;
const PLAIN = /^[a-z0-9]+$/;

/** Makes spellings that differ only in case, accents or width of letters the same text. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  // Lower case comes after the decomposition, which can bring capitals to light (ℌ is H).
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(ACCENTS, '')
    .replace(UNDECOMPOSED_LETTER, (letter) => UNDECOMPOSED[letter] ?? letter)
    .normalize('NFC');
}

/** The folded parts between punctuation of every white-space separated piece; pieces without a word are dropped. */
function pieces(text: string): string[][] {
  const found: string[][] = [];
  for (const piece of text.replace(OMITTED, '').split(/\s+/)) {
    const folded = fold(piece);
    const parts = PLAIN.test(folded) ? [folded] : folded.match(PART);
    if (parts) found.push(parts);
  }
  return found;
}

/** Adds the places in a part, beside its beginning, where a reader of an unspaced script may see a word begin. */
function addUnspacedStarts(part: string, offset: number, starts: number[]): void {
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

/** The index words of a name in compact form: what is shared by overlapping words is held once. */
export function nameChunks(name: string): NameChunk[] {
  return pieces(name).map((parts) => {
    const starts: number[] = [];
    let offset = 0;
    for (const part of parts) {
      starts.push(offset);
      if (UNSPACED.test(part)) addUnspacedStarts(part, offset, starts);
      offset += part.length;
    }
    return { text: parts.join(''), starts };
  });
}

/** The distinct texts a query may begin with to find the name: `Half-Life` gives `halflife` and `life`. */
export function nameWords(name: string): string[] {
  return [...new Set(nameChunks(name).flatMap(({ text, starts }) => starts.map((start) => text.slice(start))))];
}

/** The distinct words of a query. None at all, for a query without letter or digit, means that it matches nothing. */
export function queryWords(query: string): QueryWord[] {
  const words = new Map<string, QueryWord>();
  for (const parts of pieces(query)) words.set(parts.join(' '), { joined: parts.join(''), parts });
  return [...words.values()];
}

/** Whether a game with these index words is found: the same answer as `NameIndex.search`, for one game at a time. */
export function matches(words: readonly QueryWord[], indexWords: readonly string[]): boolean {
  const begins = (text: string) => indexWords.some((word) => word.startsWith(text));
  return words.length > 0 && words.every(({ joined, parts }) => begins(joined) || parts.every(begins));
}
