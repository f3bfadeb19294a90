import { trimEnd } from '../../model/trim-end.js';
import { foldText } from './creator-input.js';

/** Punctuation after an address that belongs to the sentence around it. */
const PUNCTUATION = '/.,;:!?)';

const LETTER = /[\p{L}\p{N}_]/u;

/** Reports whether a text occurs in a folded text, not as a part of a longer word. */
export function occursIn(folded: string, text: string): boolean {
  const wanted = foldText(text);
  if (wanted === '') return false;
  for (let at = folded.indexOf(wanted); at !== -1; at = folded.indexOf(wanted, at + 1)) {
    const before = folded.slice(0, at).at(-1) ?? ' ';
    const after = folded.charAt(at + wanted.length);
    if (isBoundary(before, wanted.charAt(0)) && isBoundary(after, wanted.at(-1) ?? '')) return true;
  }
  return false;
}

/** A word ends where a letter is not followed by another one. Scripts without spaces have no such ends. */
const isBoundary = (outside: string, inside: string): boolean =>
  !LETTER.test(outside) || !LETTER.test(inside) || /\p{Lo}/u.test(outside + inside);

/** Reports whether an address of a page or a handle occurs, however it is written. */
export function occursAsAddress(folded: string, address: string): boolean {
  const bare = address
    .trim()
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/^www\./i, '')
    .replace(/^@/, '');
  return occursIn(folded, trimEnd(bare, PUNCTUATION));
}

const SEPARATORS = /[\s"'<>()[\],;]+/u;
/** Endings of hosts that are addresses even without a path: usual ones, and those of countries. Other words with a dot, such as "Node.js",
 * are usually none. */
const HOST = /\.(?:com|net|org|info|xyz|shop|store|link|app|dev|live|online|site|club|games|stream|fans|studio)$/i;
const COUNTRY_HOST = /\.(?!js|ts|cs)[a-z]{2}$/;
const HANDLE = /(?<![\w@.])@[\w.]{2,100}/gu;

/** Returns the addresses of pages and mailboxes, and the handles, in a text. */
export const addressesIn = (text: string): string[] => text.split(SEPARATORS).flatMap(addressesOf);

/** @param word part of a text without separators */
function addressesOf(word: string): string[] {
  const bare = trimEnd(word, PUNCTUATION);
  const start = bare.search(/https?:\/\/|\bwww\./iu);
  if (start !== -1) return [bare.slice(start)];
  const [host = '', path] = splitAt(bare, '/');
  if ((path !== undefined || HOST.test(host) || COUNTRY_HOST.test(host)) && isDomain(host)) return [bare];
  const [mailbox, domain] = splitAt(bare, '@');
  if (mailbox !== '' && domain !== undefined && isDomain(domain)) return [bare];
  return bare.match(HANDLE) ?? [];
}

/** Splits at the first separator. @returns the text alone if it has none */
function splitAt(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function isDomain(text: string): boolean {
  const labels = text.split('.');
  return (
    labels.length > 1 &&
    labels.every((label) => /^[a-z0-9-]{1,63}$/i.test(label)) &&
    /^[a-z]{2,24}$/i.test(labels.at(-1) ?? '')
  );
}
