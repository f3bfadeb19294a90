// Names and codes of languages, for people who know only one of them.
const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** Returns the English name of a language, or its code if it has none. */
export function languageName(code) {
  try {
    return names.of(code) ?? code;
  } catch {
    // The code is not in the form of one.
    return code;
  }
}

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz');

/** Codes of two letters by English name in lower case, without those that another one has replaced. */
const codes = new Map(
  LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
    .filter((code) => names.of(code) !== undefined && Intl.getCanonicalLocales(code)[0] === code)
    .map((code) => [names.of(code).toLowerCase(), code]),
);

/** Codes may have a region or a script. Twitch also has `other`. */
const CODE = /^([a-z]{2,3}(-[a-z\d]{2,8})*|other)$/i;

const readLanguage = (text) => codes.get(text.toLowerCase()) ?? (CODE.test(text) ? text : null);

/** Reads names and codes, separated by commas or spaces. @returns their codes, and what is neither */
export function readLanguages(text) {
  const found = [];
  const unknown = [];
  // Names such as Scottish Gaelic have spaces themselves.
  const parts = text
    .split(',')
    .flatMap((part) => (codes.has(part.trim().toLowerCase()) ? [part.trim()] : part.split(/\s+/)));
  for (const part of parts.filter((each) => each !== '')) {
    const code = readLanguage(part);
    if (code === null) unknown.push(part);
    else found.push(code);
  }
  return { codes: found, unknown };
}
