import { trimEnd } from '../../model/trim-end.js';
import { foldText } from './creator-input.js';

/** Characters that keyboards, models and creators write in different ways, and what they are compared as. */
const FOLDS: readonly (readonly [RegExp, string])[] = [
  [/[\u200b\u200c\u2060\ufeff]|\u200d|\ufe0e|\ufe0f/g, ''],
  [/[’‘‛′`´]/g, "'"],
  [/[“”„‟″«»]|''/g, '"'],
  [/[‐‑‒–—―−]/g, '-'],
];

/** Folds the typography of a folded text: quotation marks, dashes and invisible characters. Addresses are not compared so. */
export const foldTypography = (folded: string): string =>
  FOLDS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), folded);

/** Returns a text in the form in which quotes, and words in them, are compared. */
export const foldQuote = (text: string): string => foldTypography(foldText(text));

/** Removes the quotation marks around a quote, and the full stop at its end. Models add them. */
export const trimQuote = (quote: string): string => trimEnd(quote.replace(/^["' ]+/, ''), '"\' .。');
