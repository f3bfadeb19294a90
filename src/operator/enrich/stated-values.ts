import type { ModelAnswer } from './answer-schema.js';
import { isBirth } from './birth-words.js';
import { latinDigits } from './digits.js';
import { occursIn } from './occurs.js';
import { withoutOthers } from './other-subjects.js';
import { statesDate } from './stated-month.js';

type Birthday = NonNullable<ModelAnswer['birthday']>;

/** Reports whether a quote has the day, the month and the year of a birthday. @param quote in the form of `foldQuote` */
export function statesBirthday(quote: string, { birthday_day, birthday_month, birthday_year }: Birthday): boolean {
  const text = latinDigits(withoutOthers(quote));
  const date = { day: birthday_day, month: birthday_month, year: birthday_year };
  return isBirth(text, birthday_year) && statesDate(text, date);
}

const CM_PER_INCH = 2.54;
const FEET =
  /(?<![\d.,])(\d)\s*(?:'|-?\s?(?:ft|feet|foot)(?![a-z])\.?)[\s-]*(?:(\d{1,2}(?:\.\d+)?)(?!\d)|(?=tall|$|[^\p{L}\s]))/gu;
const INCHES = /(?<![\d.,])(\d{2,3}(?:\.\d+)?)[\s-]?(?:inch(?:es)?|zoll|"|in(?=\s*(?:tall|$|[^\p{L}\s])))/gu;
const CENTIMETRES =
  /(?<![\d.,])(\d{2,3}(?:[.,]\d)?)\s*(?:cm|см|センチ|厘米|公分|सेमी|ซม|سم|centi|zentimeter|сантиметр)/gu;
/** Some write "1.60 cm". */
const METRES =
  /(?<![\d.,])(\d)(?:[.,](\d{1,2}))?\s*(?:(?:m|м|cm|см|met(?:er|re)s?|mètres?|metros?|metri|метр\p{L}*)(?:\s?(\d{2}))?(?![\p{L}\d])|米|メートル)/gu;
/** A height without a unit needs a word for it. */
const CUED =
  /(?:height|tall|größe|groesse|estatura|altura|mido|meço|taille|mesure|altezza|wzrost|рост|зріст|身長|身高|키|boy(?:um)?|lengte|längd|høyde|الطول|ส่วนสูง)[\s:=]*(?:is )?(\d(?:[.,]\d{1,2})|\d{2,3})(?!\d|\s?%)/gu;

/** Reports whether a quote has a height in inches, feet, centimetres or metres. @param quote in the form of `foldQuote` */
export function statesHeight(quote: string, inches: number): boolean {
  const text = latinDigits(withoutOthers(quote));
  const fromMetres = (metres: number) => (metres * 100) / CM_PER_INCH;
  const all = [
    ...Array.from(text.matchAll(FEET), ([, feet, rest = '0']) => Number(feet) * 12 + Number(rest)),
    ...Array.from(text.matchAll(INCHES), ([, number]) => Number(number)),
    ...Array.from(text.matchAll(CENTIMETRES), ([, number]) => numberOf(number) / CM_PER_INCH),
    ...Array.from(text.matchAll(METRES), ([, metres, decimals = '', rest = '']) =>
      fromMetres(numberOf(`${metres}.${decimals}${rest}`)),
    ),
    ...Array.from(text.matchAll(CUED), ([, number]) => numberOf(number)).flatMap((number) =>
      number < 3 ? [fromMetres(number)] : [number, number / CM_PER_INCH],
    ),
  ];
  return all.some((stated) => Math.abs(stated - inches) <= 1);
}

const numberOf = (text = ''): number => Number(text.replace(',', '.'));

/** Reports whether a quote has words, which one letter is not. @param quote in the form of `foldQuote`, as the words */
export const statesWords = (quote: string, words: string): boolean =>
  !/^[\p{Lu}\p{Ll}]$/u.test(words) && occursIn(quote, words);
