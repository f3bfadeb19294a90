import { foldText } from './creator-input.js';
import { occursIn } from './occurs.js';
import { LANGUAGES } from './stated-month.js';

/** Names that `Intl.DisplayNames` does not have. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  CZ: ['Czech Republic'],
  GB: ['UK', 'England', 'Scotland', 'Wales', 'Northern Ireland', 'Britain'],
  NL: ['Holland'],
  TR: ['Turkey'],
  US: ['USA', 'アメリカ'],
};

/** Names by country. Made when they are needed: it takes milliseconds. */
const names = new Map<string, readonly string[]>();

function namesOf(code: string): readonly string[] {
  const found = LANGUAGES.map((language) =>
    new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }).of(code),
  );
  return [...new Set([code, ...found, ...(OTHER_NAMES[code] ?? [])])].filter((name) => name !== undefined);
}

/** Returns the flag of a country, which is written by two characters for the letters of its code. */
const flagOf = (code: string): string =>
  String.fromCodePoint(...Array.from(code, (letter) => 0x1f1e6 + letter.charCodeAt(0) - 65));

/** Reports whether a quote has the name, the code or the flag of a country. @param code two capital letters; no other has a country */
export function statesCountry(quote: string, code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code)) return false;
  const known = names.get(code) ?? namesOf(code);
  names.set(code, known);
  const text = quote.normalize('NFKC').replace(/\b([A-Z])\.([A-Z])\.?/g, '$1$2');
  const folded = foldText(quote);
  return quote.includes(flagOf(code)) || known.some((name) => hasName(text, folded, name));
}

/** "US" and "IN" are other words without their capitals. */
const hasName = (text: string, folded: string, name: string): boolean =>
  /^[A-Z]{2,3}$/.test(name) ? new RegExp(`\\b${name}\\b`).test(text) : occursIn(folded, name);
