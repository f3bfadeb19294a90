import { latinDigits } from './digits.js';
import { foldQuote } from './typography.js';

/** Languages in which a month is recognised by its name. */
const LANGUAGES = 'en de fr es pt it nl pl cs sv da nb fi tr ru uk ar he hi id vi th ja ko zh ro el hu ca hr'.split(
  ' ',
);

export interface StatedDate {
  readonly day: number;
  /** From 1. */
  readonly month: number;
  readonly year: number;
}

/** Patterns by month. Made when they are needed: it takes milliseconds. */
const patterns = new Map<number, RegExp>();

/** Returns the names of a month. Some languages inflect the name beside a day. */
function namesOf(month: number): readonly string[] {
  const date = new Date(Date.UTC(2001, month - 1, 1));
  const found = LANGUAGES.flatMap((language) =>
    (['long', 'short'] as const).flatMap((length) =>
      [{ month: length }, { month: length, day: 'numeric' } as const].flatMap((options) =>
        new Intl.DateTimeFormat(`${language}-u-ca-gregory-nu-latn`, { ...options, timeZone: 'UTC' })
          .formatToParts(date)
          .filter(({ type }) => type === 'month')
          .map(({ value }) => foldQuote(value)),
      ),
    ),
  );
  const sept = month === 9 ? ['sept'] : [];
  // Formats of CJK have the number of the month, and its sign beside it.
  const signs = ['月', '월'].map((sign) => `${month}${sign}`);
  return [...new Set([...found, ...sept, ...signs, ...signs.map((name) => `0${name}`)])]
    .filter((name) => !/^\d+$/.test(name))
    .toSorted((a, b) => b.length - a.length);
}

function patternOf(month: number): RegExp {
  const names = namesOf(month).map((name) => name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  const made = new RegExp(`(?<![\\p{Lu}\\p{Ll}\\d])(?:${names.join('|')})(?![\\p{Lu}\\p{Ll}])`, 'gu');
  return made;
}

const NUMERIC_DATE = /(?<![\d./-])(\d{1,4})\s?[./-]\s?(\d{1,2})\s?[./-]\s?(\d{1,4})(?![\d/-])/g;
const COMPACT_DATE = /(?<!\d)(\d{4})(\d{2})(\d{2})(?!\d)/g;

/** What may be between the parts of a date: at most one short word, such as `of`. */
const BETWEEN = "[^\\p{L}\\d\\n]{0,3}(?:(?!(?:since|seit)\\b)[\\p{L}\\p{M}']{1,5}[^\\p{L}\\d\\n]{0,3})?";
const DAY = '(?<day>\\d{1,2})(?!\\d)(?:\\p{L}{1,2}(?!\\p{L})|日|일)?';
const YEAR = "(?<year>\\d{4}|'?\\d{2})(?!\\d)";
const DAY_BEFORE = new RegExp(`(?<![\\d.,:/])${DAY}${BETWEEN}$`, 'u');
const YEAR_BEFORE = new RegExp(`(?<!\\d)(?<year>\\d{4})${BETWEEN}$`, 'u');
const YEAR_AND_DAY_BEFORE = new RegExp(`(?<!\\d)(?<year>\\d{4})${BETWEEN}\\s?${DAY}${BETWEEN}$`, 'u');
const YEAR_AFTER = new RegExp(`^${BETWEEN}${YEAR}`, 'u');
const DAY_AFTER = new RegExp(`^[^\\p{L}\\d\\n]{0,3}(?:\\p{L}{1,3}\\s)?${DAY}`, 'u');
const DAY_AND_YEAR_AFTER = new RegExp(`${DAY_AFTER.source}${BETWEEN}${YEAR}`, 'u');

/**
 * Reports whether a quote states a date, by the name of the month or in numbers such as `3.7.1997`. Its parts are side by side, and one
 * number does not state two of them. A month is recognised by its name in the listed languages.
 * @param quote in the form of `foldQuote` @param date its day is such as 3, which `03` and `3rd` state
 */
export function statesDate(quote: string, date: StatedDate): boolean {
  const { month } = date;
  // A model may answer any number, for which no date exists.
  if (!Number.isInteger(month) || month < 1 || month > 12) return false;
  const text = latinDigits(quote);
  const numeric = [...text.matchAll(NUMERIC_DATE), ...text.matchAll(COMPACT_DATE)];
  return numeric.some(([, ...parts]) => isNumericDate(parts, date)) || hasNamedMonth(text, date);
}

/** Reports whether the parts are the date, in any order that has the year at the beginning or the end. */
function isNumericDate([first = '', second = '', third = '']: readonly string[], date: StatedDate): boolean {
  const has = (year: string, a: string, b: string) =>
    isYear(year, date.year) &&
    ((Number(a) === date.day && Number(b) === date.month) || (Number(a) === date.month && Number(b) === date.day));
  return has(third, first, second) || has(first, second, third);
}

const isYear = (text: string, year: number): boolean => {
  const digits = text.replace("'", '');
  return digits.length === 2 ? Number(digits) === year % 100 : Number(digits) === year;
};

function hasNamedMonth(text: string, { day, month, year }: StatedDate): boolean {
  const pattern = patterns.get(month) ?? patternOf(month);
  patterns.set(month, pattern);
  const isDate = (parts: Readonly<Record<string, string>> | undefined, other?: Readonly<Record<string, string>>) => {
    const { day: dayText = '', year: yearText = '' } = { ...parts, ...other };
    return dayText !== '' && Number(dayText) === day && yearText !== '' && isYear(yearText, year);
  };
  return Array.from(text.matchAll(pattern)).some(({ 0: name, index }) => {
    const [before, after] = [text.slice(Math.max(0, index - 40), index), text.slice(index + name.length).slice(0, 40)];
    return (
      isDate(DAY_BEFORE.exec(before)?.groups, YEAR_AFTER.exec(after)?.groups) ||
      isDate(DAY_AND_YEAR_AFTER.exec(after)?.groups) ||
      isDate(YEAR_BEFORE.exec(before)?.groups, DAY_AFTER.exec(after)?.groups) ||
      isDate(YEAR_AND_DAY_BEFORE.exec(before)?.groups)
    );
  });
}
