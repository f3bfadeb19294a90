/** Words for a birth, in the form of `foldQuote`: by language, because one expression of all takes minutes to analyse. */
const BIRTH: readonly RegExp[] = [
  /(?<![\p{L}\d]|\b(?:channel|stream|server|game|kanal)(?:'?s)?\s)(?:born|birth(?:day|date)?s?|b-?day|dob|class of|geb\.|geboren\p{L}*|geburtsta\p{L}*|jahrgang)(?!\p{L})/u,
  /(?<![\p{L}\d]|\b(?:channel|stream|server|game|kanal)(?:'?s)?\s)(?:née?|naissance|nací|nacid[oa]|nacimiento|cumplea\p{L}*|nasci(?:d[oa]|mento)?|anivers[aá]rio|nat[oa] (?:il|nel|a)|nascita|compleanno|născut\p{L}*)(?!\p{L})/u,
  /(?<![\p{L}\d]|\b(?:channel|stream|server|game|kanal)(?:'?s)?\s)(?:urodz\p{L}*|narozen\p{L}*|narodz\p{L}*|rođen\p{L}*|rojen\p{L}*|syntyn\p{L}*|född|født|fødd|geboorte\p{L}*|doğ(?:um|du)\p{L}*|lahir|kelahiran|sinh|született)(?!\p{L})/u,
  /(?<![\p{L}\d]|\b(?:channel|stream|server|game|kanal)(?:'?s)?\s)(?:родил\p{L}*|рожд\p{L}*|род\.|народ(?:ил|жен|ився)\p{L}*|роден\p{L}*|γεννήθηκ\p{L}*|γενέθλια|מולדת|נולד\p{L}*|जन्म\p{L}*|เกิด\p{L}*)(?!\p{L})/u,
  /生まれ|生れ|年生|誕生日|出生|生日|생일|출생|년생|مواليد|ولد|ميلاد|🎂|🎈|👶/u,
];

/** Reports whether a text has a word for birth. @param text in the form of `foldQuote` */
export const namesBirth = (text: string): boolean => BIRTH.some((words) => words.test(text));

/** Dates of videos and streams are at least this new, so an older one alone in a text is a birthday. */
const FIRST_CONTENT_YEAR = 2005;

/** What parts a text into statements. A comma inside a date, as in "May 3, 1997", does not. */
const SEPARATOR = /[|•·()!?]|,\s?(?=\p{L})|(?<=\p{L}),|(?<=\p{L})\s?\/|\s-\s/u;
/** A date without other words: at most the name of a month, and the signs of Chinese, Japanese and Korean dates. */
const BARE_DATE =
  /^[^\p{L}\p{M}\d]*(?:\d{1,2}[^\p{L}\d]{1,3}(?:\d{1,2}|(?:[\p{L}\p{M}]{1,3}\s)?[\p{L}\p{M}]{3,12})[^\p{L}\d]{1,3}\d{4}|[\p{L}\p{M}]{3,12}[^\p{L}\d]{1,3}\d{1,2}[^\p{L}\d]{1,3}\d{4}|\d{4}(?:[./-]|\s?[年년]\s?)\d{1,2}(?:[./-]|\s?[月월]\s?)\d{1,2}\s?[日일]?)[^\p{L}\p{M}\d]*$/u;

/** Reports whether a text can state a birth: it has a word for birth, or a bare date before 2005. Later dates may be those of videos,
 * streams and channels. @param text in the form of `foldQuote` @param year of the date */
export const isBirth = (text: string, year: number): boolean =>
  namesBirth(text) ||
  (year < FIRST_CONTENT_YEAR &&
    text.split(SEPARATOR).some((statement) => BARE_DATE.test(statement) && statement.includes(String(year))));
