import { foldQuote } from './typography.js';

/** Languages in which a country is recognised by its name. */
const LANGUAGES = 'en de fr es pt it nl sv da nb ar he hi id vi th ja ko zh bn ur fa zh-Hant'.split(' ');

/** Languages that inflect the name after a preposition, such as `w Polsce`. */
const INFLECTED_LANGUAGES = 'pl cs sk sl hr sr bg ru uk ro el hu fi et lv lt tr'.split(' ');

/** Names that `Intl.DisplayNames` does not have. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  AE: ['Emirates'],
  CD: ['DR Congo', 'Congo'],
  CG: ['Congo'],
  CI: ['Ivory Coast', 'Côte d’Ivoire', 'Elfenbeinküste'],
  CZ: ['Czech Republic'],
  GB: 'England|Scotland|Wales|Northern Ireland|Britain|Inglaterra|Angleterre|Inghilterra|Англия|Англии'.split('|'),
  HK: ['Hong Kong', 'Hongkong'],
  KR: ['Korea', 'Corea', 'Coreia', 'Corée', 'Корея', 'Корее', 'Кореи', '한국', '韓国'],
  MK: ['Macedonia'],
  MM: ['Burma'],
  NL: ['Holland', 'Holanda'],
  PS: ['Palestine', 'Palestina'],
  SA: ['Saudi', 'السعودية'],
  TR: ['Turkey', 'Turkiye'],
  TW: ['台湾', '台灣', '臺灣'],
  US: ['United States of America', 'アメリカ', 'EE.UU', 'EE. UU', 'США', '米国'],
};

/** Names that are other words, too. */
const OTHER_WORDS = new Set(['indie', 'сад']);
/** Names whose beginnings are other words, too: `indie`, `chill`, `Nigeria`. */
const NOT_INFLECTED = new Set(['india', 'индия', 'niger', 'нигер', 'chile', 'china', 'korea', 'dominika']);

const LETTERS = '[\\p{L}\\p{M}]';
const KATAKANA = '[\\p{sc=Kana}ー]';
/** Endings of an adjective, such as `Canadian`. It states no residence. */
const NO_ADJECTIVE = '(?!(?:i?ans?|ese)(?!\\p{L}))';

/** Sources of names. Made when they are needed: it takes milliseconds. */
let sources: readonly { readonly names: Intl.DisplayNames; readonly isInflected: boolean }[] = [];

function makeSources(): typeof sources {
  return [...LANGUAGES, ...INFLECTED_LANGUAGES].flatMap((language) =>
    (['long', 'short'] as const).map((style) => ({
      names: new Intl.DisplayNames(language, { type: 'region', fallback: 'none', style }),
      isInflected: INFLECTED_LANGUAGES.includes(language),
    })),
  );
}

/** Regions that are no countries. */
const NO_COUNTRIES = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']);

/** Reports whether two capital letters are the code of a country. */
export function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || NO_COUNTRIES.has(code)) return false;
  if (sources.length === 0) sources = makeSources();
  return sources[0]?.names.of(code) !== undefined;
}

/** How a name occurs in a text: within other words, as a whole word, with an ending, or as a whole word in Katakana. */
type Kind = 'part' | 'word' | 'stem' | 'katakana';

interface Occurrence {
  readonly kind: Kind;
  readonly pattern: string;
}

/** Patterns around the names of a kind. Classes of letters are slow to compile, so the names of a kind share them. */
const FRAMES: Readonly<Record<Kind, (names: string) => string>> = {
  // The Chinese name of Mali begins the one of Mario.
  part: (names) => `(?:${names})(?!奥)`,
  word: (names) => `(?<!${LETTERS}|\\d)(?:${names})(?!${LETTERS}|\\d)`,
  stem: (names) => `(?<!${LETTERS}|\\d)(?:${names})${NO_ADJECTIVE}${LETTERS}{1,5}(?!${LETTERS}|\\d)`,
  katakana: (names) => `(?<!${KATAKANA})(?:${names})(?!${KATAKANA})`,
};

const patterns = new Map<string, RegExp>();

/** Returns the pattern that finds a name of a country in a text of the form of `foldQuote`. */
export function countryPattern(code: string): RegExp {
  const known = patterns.get(code) ?? createPattern(occurrencesOf(code));
  patterns.set(code, known);
  return known;
}

function createPattern(occurrences: readonly Occurrence[]): RegExp {
  const framed = (Object.keys(FRAMES) as Kind[]).flatMap((kind) => {
    const names = occurrences.filter((each) => each.kind === kind).map(({ pattern }) => pattern);
    return names.length === 0 ? [] : [FRAMES[kind]([...new Set(names)].join('|'))];
  });
  return new RegExp(framed.join('|'), 'u');
}

function occurrencesOf(code: string): Occurrence[] {
  if (sources.length === 0) sources = makeSources();
  const given = sources.flatMap(({ names, isInflected }) =>
    partsOf(names.of(code) ?? '').flatMap((name) => [occurrenceOf(name), ...(isInflected ? inflectedOf(name) : [])]),
  );
  return [...(OTHER_NAMES[code] ?? []).map((name) => occurrenceOf(foldQuote(name))), ...given];
}

/** Returns the folded names in a name such as `Trinidad & Tobago`. Short ones are acronyms, which are other words in other languages. */
const partsOf = (name: string): string[] =>
  name
    .split(/&| and /)
    .map((part) => foldQuote(part.trim()))
    .filter((part) => (part.length > 3 || /[^ -~]{3}|\p{Lo}/u.test(part)) && !OTHER_WORDS.has(part));

function occurrenceOf(name: string): Occurrence {
  if (/^[\p{sc=Kana}ー・]+$/u.test(name)) return { kind: 'katakana', pattern: escape(name) };
  if (/[\p{sc=Han}\p{sc=Hang}\p{sc=Thai}]/u.test(name)) return { kind: 'part', pattern: escape(name) };
  const isSpaced = !/\p{Lo}/u.test(name) || name.length <= 3;
  if (isSpaced) return { kind: 'word', pattern: escape(name).replaceAll(' ', '[ -]') };
  // A preposition may be a part of the word, and take the place of the first letter of the article.
  return { kind: 'part', pattern: escape(name.replace(/^ال(?=\p{L}{4,}$)/u, '')) };
}

/** Returns how a name with other endings occurs. */
function inflectedOf(name: string): Occurrence[] {
  const words = name.split(' ');
  if (words.some((word) => NOT_INFLECTED.has(word)) || (words.at(-1) ?? '').length < 5) return [];
  return [{ kind: 'stem', pattern: words.map((word) => escape(stemOf(word))).join('[^ ]{0,5} ') }];
}

const stemOf = (word: string): string =>
  word.length < 5
    ? word
    : word
        .replace(/ska$/, 's')
        .replace(/(?:as|os|us)$/, '')
        .replace(ENDING, '');

/** A vowel at the end of a word. */
const ENDING = /[aeiouyáéíóöőúüýěăâîėįųūāēīõäаеиіоуыюяєїαεηιοωάέήίόύώ]$/;

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
