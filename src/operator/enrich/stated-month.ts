import { foldText } from './creator-input.js';
import { occursIn } from './occurs.js';

/** Languages in which a month or a country is recognised by its name. */
export const LANGUAGES = 'en de fr es pt it nl pl cs sv da nb fi tr ru uk ar he hi id vi th ja ko zh'.split(' ');

/** Names by month. Made when they are needed: it takes milliseconds. */
const names = new Map<number, readonly string[]>();

/** Returns the folded names of a month. Some languages inflect the name beside a day. */
function namesOf(month: number): readonly string[] {
  const date = new Date(Date.UTC(2001, month - 1, 1));
  const found = LANGUAGES.flatMap((language) =>
    (['long', 'short'] as const).flatMap((length) =>
      [{ month: length }, { month: length, day: 'numeric' } as const].flatMap((options) =>
        new Intl.DateTimeFormat(`${language}-u-ca-gregory-nu-latn`, { ...options, timeZone: 'UTC' })
          .formatToParts(date)
          .filter(({ type }) => type === 'month')
          .map(({ value }) => foldText(value)),
      ),
    ),
  );
  return [...new Set(found)].filter((name) => !/^\d+$/.test(name));
}

const NUMERIC_DATE = /\d{1,4}(?:\s?[./-]\s?\d{1,4})+/g;

const numbersIn = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number);

/**
 * Reports whether a folded text states a day and a month, by the name of the month or in a date such as `3.7.1997`. One number does
 * not state both. A month in numbers states none in a language that is not listed.
 * @param day such as 3, which `03` and `3rd` state @param month from 1
 */
export function statesDay(folded: string, day: number, month: number): boolean {
  // A model may answer any number, for which no date exists.
  if (!Number.isInteger(month) || month < 1 || month > 12) return false;
  const known = names.get(month) ?? namesOf(month);
  names.set(month, known);
  const isNamed = known.some(
    // A name may have a number, such as 5 in `5月`.
    (name) => occursIn(folded, name) && numbersIn(folded.replace(name, ' ')).includes(day),
  );
  return isNamed || (folded.match(NUMERIC_DATE) ?? []).some((date) => hasBoth(numbersIn(date), day, month));
}

/** Reports whether two of the numbers are these. */
const hasBoth = (numbers: readonly number[], a: number, b: number): boolean =>
  numbers.some((number, index) => number === a && numbers.some((other, at) => at !== index && other === b));
