import type { ModelAnswer } from './answer-schema.js';
import { foldText } from './creator-input.js';
import { occursIn } from './occurs.js';
import { statesDay } from './stated-month.js';

type Birthday = NonNullable<ModelAnswer['birthday']>;

/** Digits of other scripts, by their zero. */
const ZEROS = '٠۰०০๐';

const DECIMAL = /\d+(?:[.,]\d+)?/g;
const WHOLE = /\d+/g;

/** Returns the numbers in a folded text, such as `1.75`, `٢٣` and `二十三`. */
function numbersIn(folded: string, pattern: RegExp): number[] {
  const latin = folded.replace(/\p{Nd}/gu, (digit) => {
    const zero = Array.from(ZEROS, (each) => digit.charCodeAt(0) - each.charCodeAt(0)).find(
      (value) => value >= 0 && value < 10,
    );
    return zero === undefined ? digit : String(zero);
  });
  const written = latin.match(pattern) ?? [];
  return [...written.map((number) => Number(number.replace(',', '.'))), ...chineseNumbersIn(folded)];
}

const CHINESE_DIGITS = '〇一二三四五六七八九';

/** Returns the numbers from 10 to 99 in Chinese characters. */
const chineseNumbersIn = (text: string): number[] =>
  Array.from(
    text.matchAll(/([一二三四五六七八九]?)十([一二三四五六七八九]?)/g),
    ([, tens = '', units = '']) =>
      10 * (tens === '' ? 1 : CHINESE_DIGITS.indexOf(tens)) + (units === '' ? 0 : CHINESE_DIGITS.indexOf(units)),
  );

/** Reports whether a folded quote has the day, the month and the year of a birthday. */
export const statesBirthday = (quote: string, { birthday_day, birthday_month, birthday_year }: Birthday): boolean =>
  occursIn(quote, String(birthday_year)) && statesDay(quote, birthday_day, birthday_month);

/** Parses an age range, such as `25-34` or `65+`. @returns null if it is invalid */
export function parseAgeRange(text: string): { readonly from: number; readonly to: number } | null {
  const [, from, to] = /^(\d{1,2})-(\d{1,2})$/.exec(text) ?? /^(\d{2})\+$/.exec(text) ?? [];
  if (from === undefined) return null;
  const range = { from: Number(from), to: to === undefined ? 120 : Number(to) };
  return range.from <= range.to ? range : null;
}

/** Reports whether a folded quote has an age in a range, or the year of a birth that makes one. @param year the current one */
export function statesAge(quote: string, range: string, year = new Date().getUTCFullYear()): boolean {
  const ages = parseAgeRange(range);
  if (ages === null) return false;
  const numbers = numbersIn(quote, WHOLE);
  // "'98" is the year 1998.
  const short = (quote.match(/(?<=['’])\d{2}(?!\d)/g) ?? []).flatMap((digits) =>
    [1900, 2000].map((from) => from + Number(digits)),
  );
  const years = [...numbers, ...short].filter((number) => number > 1900 && number <= year);
  return (
    numbers.some((age) => age >= ages.from && age <= ages.to) ||
    // The birthday may be still to come this year, and the text older.
    years.some((born) => year - born >= ages.from - 1 && year - born <= ages.to + 1)
  );
}

const CM_PER_INCH = 2.54;
const FEET = /(\d)\s*(?:['’′]|-?\s?(?:ft|feet|foot)(?![a-z])\.?)[\s-]*(\d{1,2}(?:\.\d+)?)?/g;
const METRES = /(\d)\s*m(?:et(?:er|re)s?)?\s*(\d{2})?(?![\p{L}\d])/gu;

/** Reports whether a folded quote has a height in inches, feet, centimetres or metres. */
export function statesHeight(quote: string, inches: number): boolean {
  const feet = Array.from(quote.matchAll(FEET), ([, whole, rest = '0']) => Number(whole) * 12 + Number(rest));
  const metres = Array.from(quote.matchAll(METRES), ([, whole, rest = '0']) => Number(whole) + Number(rest) / 100);
  const numbers = numbersIn(quote, DECIMAL);
  const all = [
    ...feet,
    ...numbers,
    ...numbers.map((centimetres) => centimetres / CM_PER_INCH),
    // A whole number is seldom one of metres: "top 2 games".
    ...[...metres, ...numbers.filter((number) => number % 1 !== 0)].map((number) => (number * 100) / CM_PER_INCH),
  ];
  return all.some((stated) => Math.abs(stated - inches) <= 1);
}

/** Words of scripts that have capital letters. */
const CASED_WORD = /[\p{Lu}\p{Ll}\p{Lt}\p{M}]+/gu;

/** Reports whether a quote has a name with a capital letter, in scripts that have these. @param quote as the answer has it */
export function statesName(quote: string, name: string): boolean {
  if (!occursIn(foldText(quote), name)) return false;
  const names: readonly string[] = foldText(name).match(CASED_WORD) ?? [];
  const capitalised = (quote.normalize('NFKC').match(CASED_WORD) ?? []).filter((word) => !/^\p{Ll}/u.test(word));
  // One word of "van Gogh" is enough.
  return names.length === 0 || capitalised.some((word) => names.includes(foldText(word)));
}
