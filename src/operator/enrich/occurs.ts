import { normalizeText } from '../../model/normalize.mjs';
import { trimEnd } from '../../model/trim-end.js';
import { foldText } from './creator-input.js';

/** Punctuation after an address that belongs to the sentence around it. */
const PUNCTUATION = '/.,;:!?)-';

const LETTER = /[\p{L}\p{N}_]/u;
/** Letters and digits, except letters of scripts without spaces. */
const SPACED_LETTER = /[\p{Lu}\p{Ll}\p{Lt}\p{Lm}\p{N}_]/u;

/** Reports whether a text occurs in a folded text, not as a part of a longer word. */
export const occursIn = (folded: string, text: string): boolean => occurs(folded, foldText(text), isWord);

/** Reports whether an address of a page or a handle occurs, however it is written, and not as a part of a longer one. */
export function occursAsAddress(folded: string, address: string): boolean {
  const bare = foldText(address)
    .replace(/^[a-z]+:\/\//, '')
    .replace(/^www\./, '')
    .replace(/^@/, '');
  return occurs(folded, trimEnd(bare, PUNCTUATION), isAddress);
}

type IsWhole = (text: string, start: number, end: number) => boolean;

function occurs(text: string, wanted: string, isWhole: IsWhole): boolean {
  if (wanted === '') return false;
  const startsWord = SPACED_LETTER.test(firstCharacter(wanted, 0));
  for (let at = text.indexOf(wanted); at !== -1;) {
    if (isWhole(text, at, at + wanted.length)) return true;
    // No word begins inside a word. Trying each letter of a long one, for each of many texts, would take seconds.
    at = text.indexOf(wanted, startsWord ? endOfWord(text, at) : at + 1);
  }
  return false;
}

/** Returns where the letters of a script with spaces end. */
function endOfWord(text: string, at: number): number {
  const end = /[^\p{Lu}\p{Ll}\p{Lt}\p{Lm}\p{N}_]/gu;
  end.lastIndex = at;
  return end.exec(text)?.index ?? text.length;
}

const isWord: IsWhole = (text, start, end) =>
  (isBoundary(lastCharacter(text, start), firstCharacter(text, start)) ||
    PREFIXED.test(text.slice(Math.max(0, start - 4), start))) &&
  isBoundary(firstCharacter(text, end), lastCharacter(text, end));

const firstCharacter = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) ?? 32);
const lastCharacter = (text: string, end: number): string =>
  Array.from(text.slice(Math.max(0, end - 2), end)).at(-1) ?? ' ';

/** A word ends where a letter is not followed by another one. Scripts without spaces have no such ends. */
const isBoundary = (outside: string, inside: string): boolean =>
  !LETTER.test(outside) ||
  !LETTER.test(inside) ||
  (/\p{Lo}/u.test(outside + inside) && !SEMITIC.test(outside) && !SEMITIC.test(inside));

/** Scripts whose words have spaces, although their letters have no case. */
const SEMITIC = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;
/** A word for `in`, `and` or `the`, which these scripts write together with the next word. */
const PREFIXED = /(?<![\p{L}\p{N}])(?:[והבכלמש]{1,2}|[وفبكل]{1,2}|[وفبك]?ال)$/u;

/** Characters that continue an address, except letters of scripts without spaces. */
const CONTINUED_BEFORE = /[\p{Lu}\p{Ll}\p{Lt}\p{Lm}\p{N}_.@]-*$/u;
const CONTINUED_AFTER = /^(?:[\p{Lu}\p{Ll}\p{Lt}\p{Lm}\p{N}_@]|[.-]+[\p{L}\p{N}_@])/u;
/** What may be written before an address, and is no part of it. */
const PREFIX = /(?<![\p{L}\p{N}_.@]-*)(?:www\.|@)$/u;

/** A dot that ends a sentence does not continue an address. */
const isAddress: IsWhole = (text, start, end) =>
  !CONTINUED_BEFORE.test(text.slice(Math.max(0, start - 8), start).replace(PREFIX, '')) &&
  !CONTINUED_AFTER.test(text.slice(end, end + 4));

/** Runs of characters that an address can have. */
const WORD = /[\p{L}\p{M}\p{N}_.@:/?#=&%+~-]+/gu;
/** What every address has, but not at its end. */
const SIGN = /@|\.[^.]|:\/\//;
/** A colon after a word, such as in `Site:example.org`; not those of a scheme and a port. */
const COLON = /:(?!\/\/|\d)/;
/** Endings of names and files that no host has. */
const NO_HOST = /\.(?:js|ts|cs|jsx|tsx|exe|dll|ini|htm|html|css|json|xml|csv|txt|png|jpg|jpeg|gif|pdf|wav)$/i;
/** A word that begins after a dot, such as in "B.Sc" or between two sentences. */
const CAPITALISED =
  /\.(?!(?:Com|Net|Org|Info|Tv|Gg|Io|Me|Co|Ai|Fm|App|Dev|Bio|Club|Games|Link|Live|Online|Shop|Site|Store|Stream|Xyz)$)\p{Lu}\p{Ll}+$/u;
const NUMERIC_HOST = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const HANDLE = /(?<![\p{L}\p{N}_@.])@[\p{L}\p{N}_.-]{2,100}/gu;

/** Returns the addresses of pages and mailboxes, and the handles, in a text. They are folded as by `foldText`. */
export const addressesIn = (text: string): string[] =>
  (normalizeText(text, 'NFKC').match(WORD) ?? [])
    // Most words are no addresses.
    .filter((word) => SIGN.test(word))
    .flatMap((word) => word.split(COLON))
    .flatMap(addressesOf)
    .map((address) => address.toLowerCase());

/** @param word part of a text without separators */
function addressesOf(word: string): string[] {
  const bare = trimEnd(word, PUNCTUATION);
  const start = bare.search(/(?<![a-z])[a-z]+:\/\/|\bwww\./i);
  if (start !== -1) return [bare.slice(start)];
  const end = bare.search(/[/:?#]/);
  const host = end === -1 ? bare : bare.slice(0, end);
  if (end === -1 ? isDomain(host) && !CAPITALISED.test(host) : isDomain(host) || NUMERIC_HOST.test(host)) return [bare];
  const at = bare.indexOf('@');
  const isMailbox = at > 0 && LETTER.test(bare.charAt(at - 1)) && /^[\p{L}\p{N}]{2}/u.test(bare.slice(at + 1));
  return isMailbox ? [bare] : (bare.match(HANDLE) ?? []);
}

/** Reports whether a text is the name of a host. Other words with a dot, such as "Node.js" and "e.g", are none. */
function isDomain(text: string): boolean {
  const labels = text.split('.');
  return (
    labels.length > 1 &&
    labels.every((label) => /^[\p{L}\p{M}\p{N}-]{1,63}$/u.test(label)) &&
    /^\p{L}{2,24}$/u.test(labels.at(-1) ?? '') &&
    !NO_HOST.test(text)
  );
}
