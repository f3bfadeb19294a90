import { normalizeText } from '../../model/normalize.mjs';
import { countryPattern, isCountry } from './country-names.js';
import { foldQuote } from './typography.js';

/** Acronyms that are no code. */
const ACRONYMS: Readonly<Record<string, readonly string[]>> = {
  AE: ['UAE'],
  CD: ['DRC'],
  GB: ['UK'],
  SA: ['KSA'],
  US: ['USA', 'EEUU', 'EUA'],
};

/** Returns the flag of a country, which is written by two characters for the letters of its code. */
const flagOf = (code: string): string =>
  String.fromCodePoint(...Array.from(code, (letter) => 0x1f1e6 + letter.charCodeAt(0) - 65));

/** Reports whether a quote has the name, the code or the flag of a country. @param code two capital letters; no other has a country */
export function statesCountry(quote: string, code: string): boolean {
  if (!isCountry(code)) return false;
  const text = normalizeText(quote, 'NFKC').replace(/\b([A-Z])\.([A-Z])\b\.?/g, '$1$2');
  return (
    quote.includes(flagOf(code)) ||
    hasCode(text, code) ||
    (ACRONYMS[code] ?? []).some((acronym) => hasAcronym(text, acronym)) ||
    countryPattern(code).test(foldQuote(quote))
  );
}

/** "US", "IN" and "DE" are other words: a code follows a preposition, or is between separators such as in `Lisbon, PT`. */
const hasCode = (text: string, code: string): boolean =>
  new RegExp(`\\b(?:[Ff]rom|[Ii]n|[Tt]he) (?:the )?${code}\\b`).test(text) ||
  new RegExp(`(?:^|[^\\p{L}\\s]\\s*|\\p{Lu}\\p{Ll}+\\s)${code}(?=\\s*(?:$|[^\\p{L}\\s]))`, 'u').test(text);

const hasAcronym = (text: string, acronym: string): boolean =>
  new RegExp(`\\b${acronym}\\b`).test(text) || new RegExp(`\\b(?:from|in|the) ${acronym}\\b`, 'i').test(text);
