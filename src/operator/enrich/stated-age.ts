import { isBirth, namesBirth } from './birth-words.js';
import { latinDigits } from './digits.js';
import { withoutOthers } from './other-subjects.js';

const MAX_YEARS = 30;

/** Parses an age range, such as `25-34` or `65+`. @returns null if it is invalid, or too wide to say anything */
export function parseAgeRange(text: string): { readonly from: number; readonly to: number } | null {
  const [, from, to] = /^(\d{1,2})-(\d{1,2})$/.exec(text) ?? /^(\d{2})\+$/.exec(text) ?? [];
  if (from === undefined) return null;
  const range = { from: Number(from), to: to === undefined ? 120 : Number(to) };
  return range.from <= range.to && (to === undefined || range.to - range.from <= MAX_YEARS) ? range : null;
}

const CHINESE_DIGITS = '〇一二三四五六七八九';

/** Writes the numbers from 10 to 99 in Chinese characters as digits. */
const withChineseDigits = (text: string): string =>
  text.replace(/([一二三四五六七八九]?)十([一二三四五六七八九]?)/g, (_, tens: string, units: string) =>
    String(10 * (tens === '' ? 1 : CHINESE_DIGITS.indexOf(tens)) + (units === '' ? 0 : CHINESE_DIGITS.indexOf(units))),
  );

const TENS = ['twent', 'thirt', 'fort', 'fift', 'sixt', 'sevent'];
const UNITS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const ENGLISH_NUMBER = new RegExp(`\\b(${TENS.join('|')})(?:y(?:[ -](${UNITS.join('|')}))?|ies)\\b`, 'g');

const TEENS = ['thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'];
const ENGLISH_TEEN = new RegExp(`\\b(?:${TEENS.join('|')})\\b`, 'g');

/** Writes English numbers such as `nineteen`, `thirty-two` and `twenties` as digits. */
const withEnglishDigits = (text: string): string =>
  text
    .replace(ENGLISH_TEEN, (word) => String(13 + TEENS.indexOf(word)))
    .replace(ENGLISH_NUMBER, (word, tens: string, unit?: string) => {
      const number = 10 * (TENS.indexOf(tens) + 2) + (unit === undefined ? 0 : UNITS.indexOf(unit) + 1);
      return word.endsWith('ies') ? `${number}s` : String(number);
    });

/** A number that is not a part of a date, a time, a price, a version or a rank. */
const NUMBER =
  /(?<![\p{Lu}\p{Ll}\d#$€£+-]|(?<!\b[mf])\/|\d[.,:\s]|\b(?:top|no\.?|vol\.?|part|ep\.?|episode|level|lvl|season)\s?#?)(\d{2})(?!\d|\.\s?\d|[,:]\d|\s?[/+%$€£:](?!o\b|[mf]\b)|-\d)/gu;
/** What says by itself that the number before it is an age, in the form of `foldQuote`. */
const AGE_WORD =
  /^(?:[\s-]*(?:(?:years?|yrs?|jahre?)[\s-](?:old|young|of age|alt|jung)|yrs? ?old|something|yo|y\/o|y\.o)|[fw])(?![\p{L}\d])/u;
const AGE_SIGN = /^\s?(?:歳|才|岁|歲|살|세|ปี|साल|वर्ष|سنة|سنه|عام|سال|שנה|שנים|বছর)/u;
/** Words for years after a number, which are also used of other things. */
const YEARS =
  /^[\s-]*(?:years?|yrs?|f|m|w|jahre?|j|ans|años?|anos?|anni|jaar|lat|lata|let|roků|rokov|år|vuotta|vuotias|v|tahun|thn|th|tuổi|yaş\p{L}*|лет|год\p{L}*|років|рок\p{L}*|г|χρον\p{L}*|ετών|de ani|ani|éves|godin\p{L}*|годин\p{L}*|aastat?|gad\p{L}*|met\p{L}*|代|대)(?![\p{Lu}\p{Ll}\d])/u;
/** Words for an age before a number. */
const AGE_CUE =
  /(?:\b(?:age|aged|ages|i'm|im|i am|am|turn(?:ed|ing|s)?|alter|bin|edad|tengo|cumpl\p{L}{0,6}|idade|tenho|ho|j'ai|âge|mam|wiek|jestem|mne|minulla|olen|umur|usia|tuoi|tuổi)|мне|мені|возраст|вік|年齢|年龄|年齡|今年|나이|عمري|אני|בן|בת|उम्र|อายุ)[\s:=]{0,3}(?:(?:is|just|now|only|already|over|in my|my|early|mid|late)[\s-]{0,3}){0,4}$/u;
/** Words after a unit that make it somebody else's age. */
const RELATIVE_AFTER =
  /^[\s-]{0,2}(?:(?:years?|yrs?|yo|y\/o|y\.o)\.?[\s-]{1,2})?(?:old[\s-]{1,2})?(?:daughters?|sons?|kids?|child|children|toddlers?|twins?|baby|brothers?|sisters?|nieces?|nephews?|dogs?|cats?)\b/u;
/** What may follow an age: no other thing that is counted. */
const NOTHING_COUNTED =
  /^[\s)]*(?:$|[^\p{L}\s)]|(?:and|but|from|based|living|she|he|they|male|female|y|de|und|aber|aus|et|e|i|и|из)(?!\p{L}))/u;
/** A number after a word may be a part of a name, such as `FIFA 23`. */
const NOTHING_BEFORE = /(?:^|[^\p{L}\d\s]\s*)$/u;
/** Words of notices about the age of viewers. */
const LEAST_BEFORE =
  /\b(?:must be|have to be|need to be|at least|minimum|min\.?|mindestens|ab|under|below|unter|older than|älter als|from)\s(?:the age of\s)?$/u;
const LEAST_AFTER =
  /^[\s-]?(?:\p{L}{1,12}[\s-])?(?:(?:old|alt|of age),?\s)?(?:or|and|oder|und)\s(?:older|over|up|above|älter|mehr)\b|^\s?(?:歳|才|岁|歲|세)?\s?(?:以上|以下|이상)/u;
/** Things that have an age, too. */
const THINGS =
  'account|brand|car|channel|community|company|computer|console|discord|game|house|laptop|pc|series|server|show|stream';
const THING_BEFORE = new RegExp(
  `\\b(?:${THINGS}|kanal|spiel)\\s(?:is|was|turns|turned|just turned|ist|wird)\\s.{0,8}$`,
  'u',
);
const THING_AFTER = new RegExp(`^[\\s-]*\\p{L}+[\\s-](?:old|alt)\\s(?:${THINGS})s?\\b`, 'u');
/** What may be before a decade of life. Others are decades of a century. */
const BEFORE_DECADE = /(?:^|[^\p{L}\d\s]\s*|\b(?:in|my|i'm|im|am)\s)$/u;
const DECADE = /(?<![\p{L}\d])(?:(early|mid|late)[\s-]*)?(?:my\s)?(\d)0(?:'?s(?!\p{L})|代|대)/gu;

/** Returns the ages that a text states. */
function agesIn(text: string): number[] {
  const ofLife = Array.from(text.matchAll(DECADE)).filter(
    ({ 0: decade, 1: part, index }) =>
      part !== undefined || decade.startsWith('my') || BEFORE_DECADE.test(text.slice(Math.max(0, index - 8), index)),
  );
  const decades = ofLife.map(([, part, tens]) => {
    const [first, last] = part === 'early' ? [0, 3] : part === 'mid' ? [4, 6] : part === 'late' ? [7, 9] : [0, 9];
    return Array.from({ length: last - first + 1 }, (_, index) => 10 * Number(tens) + first + index);
  });
  const numbers = Array.from(text.matchAll(NUMBER)).filter(({ 0: number, index }) =>
    isAge(text.slice(Math.max(0, index - 32), index), text.slice(index + number.length)),
  );
  return [...decades.flat(), ...numbers.map(([number]) => Number(number))];
}

/** Reports whether a number is an age. @param before what the text has before it @param after what it has after it */
function isAge(before: string, after: string): boolean {
  if ([RELATIVE_AFTER, LEAST_AFTER, THING_AFTER].some((pattern) => pattern.test(after))) return false;
  if (LEAST_BEFORE.test(before) || THING_BEFORE.test(before)) return false;
  if (AGE_WORD.test(after) || AGE_SIGN.test(after)) return true;
  return NOTHING_COUNTED.test(after.replace(YEARS, '')) && (AGE_CUE.test(before) || NOTHING_BEFORE.test(before));
}

/** Words after which a year is the beginning of something else. */
const SINCE =
  /(?:\b(?:since|seit|desde|depuis|dal|sinds|sedan|siden|od|ab|from|established|est\.?|founded|debut|joined|started)|(?<!\p{L})(?:с|від|з))\s*$/u;

/** Returns the years of births in a text. "'98", "98年生" and "95后" are years of both centuries. */
function yearsIn(text: string, latest: number): number[] {
  const notSince = ({ index }: RegExpExecArray) => !SINCE.test(text.slice(Math.max(0, index - 14), index));
  const full = Array.from(text.matchAll(/(?<!\d)\d{4}(?!\d)/g)).filter(
    (match) => notSince(match) && isBirth(text, Number(match[0])),
  );
  const short = Array.from(text.matchAll(/(?<=')\d{2}(?!\d)|(?<!\d)\d{2}(?=年|년|后|後)/g)).filter(
    ({ 0: digits, index }) => namesBirth(text) || /^[后後]/.test(text.slice(index + digits.length)),
  );
  const years = [
    ...full.map(([digits]) => Number(digits)),
    ...short.flatMap(([digits]) => [1900, 2000].map((from) => from + Number(digits))),
  ];
  return years.filter((year) => year > 1900 && year <= latest);
}

/** Reports whether a quote has an age in a range, or the year of a birth that makes one.
 * @param quote in the form of `foldQuote` @param year the current one */
export function statesAge(quote: string, range: string, year = new Date().getUTCFullYear()): boolean {
  const ages = parseAgeRange(range);
  if (ages === null) return false;
  const text = withEnglishDigits(withChineseDigits(latinDigits(withoutOthers(quote))));
  return (
    agesIn(text).some((age) => age >= ages.from && age <= ages.to) ||
    // The birthday may be still to come this year, and the text older.
    yearsIn(text, year).some((born) => year - born >= ages.from - 1 && year - born <= ages.to + 1)
  );
}
