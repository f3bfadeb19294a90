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

/** Regions with which platforms store the language of a creator. Whoever names a language means all of them. */
const REGIONS = {
  en: ['us', 'gb', 'ca', 'au', 'in'],
  es: ['es', 'mx', 'ar', '419'],
  fr: ['fr', 'ca'],
  pt: ['br', 'pt'],
  zh: ['cn', 'tw', 'hk', 'hans', 'hant'],
};

/** Returns the codes of a name, or a code itself; none for neither. */
function codesOf(text) {
  const code = codes.get(text.toLowerCase());
  if (code === undefined) return CODE.test(text) ? [text] : [];
  return [code, ...(REGIONS[code] ?? []).map((region) => `${code}-${region}`)];
}

/** Reads names and codes, separated by commas or spaces. @returns their codes, and what is neither */
export function readLanguages(text) {
  const found = [];
  const unknown = [];
  // Names such as Scottish Gaelic have spaces themselves.
  const parts = text
    .split(',')
    .flatMap((part) => (codes.has(part.trim().toLowerCase()) ? [part.trim()] : part.split(/\s+/)));
  for (const part of parts.filter((each) => each !== '')) {
    const languages = codesOf(part);
    if (languages.length === 0) unknown.push(part);
    found.push(...languages);
  }
  return { codes: found, unknown };
}
