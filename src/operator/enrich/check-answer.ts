import type { ModelAnswer } from './answer-schema.js';
import { isCountry } from './country-names.js';
import { foldText, textsOf, type CreatorInput } from './creator-input.js';
import { addressesIn, occursAsAddress, occursIn } from './occurs.js';
import { specialTermsIn } from './special-categories.js';
import { findUnstated, isQuote } from './stated-members.js';
import { parseAgeRange } from './stated-age.js';
import { foldQuote, foldTypography } from './typography.js';
import { isUnknown, UNKNOWN } from './unknown.js';

const RATINGS = ['G', 'PG', 'PG-13', 'R', 'NC-17', UNKNOWN];
const GENDERS = ['male', 'female', 'non_binary'];
const FIRST_YEAR = 1900;
const MAX_LISTED = 50;
const MAX_TEXT = 4000;
/** Addresses in an answer that are checked at most. */
const MAX_ADDRESSES = 200;

/** Makes unknown texts null where the shape has null, leaves them out of lists, and writes `unknown` elsewhere. */
export function normalizeAnswer({ evidence, ...given }: ModelAnswer): ModelAnswer {
  const orNull = (text: string | null) => (text === null || isUnknown(text) ? null : text);
  const answer = { ...nameUnknown(given), evidence };
  const { residence, appearance, background, business, family } = answer;
  const isNowhere = residence === null || [residence.city, residence.state, residence.country_code].every(isUnknown);
  const isKnown = (text: string) => !isUnknown(text);
  return {
    ...answer,
    aliases: answer.aliases.filter(isKnown),
    appearance: {
      ...appearance,
      notable_physical_characteristics: appearance.notable_physical_characteristics.filter(isKnown),
    },
    background: {
      ...background,
      education: background.education.filter((each) => [each.institution, each.degree, each.field].some(isKnown)),
    },
    // Nothing about a relative without a name can be found in the input.
    family: { ...family, notable_family_members: family.notable_family_members.filter(({ name }) => isKnown(name)) },
    business: {
      ...business,
      monetization: business.monetization.map((each) => ({ ...each, platform: orNull(each.platform) })),
    },
    gender: orNull(answer.gender),
    real_first_name: orNull(answer.real_first_name),
    real_last_name: orNull(answer.real_last_name),
    nationality: orNull(answer.nationality),
    residence: isNowhere ? null : residence,
  };
}

/** Replaces all unknown texts in a value by `unknown`. */
function nameUnknown<T>(value: T): T {
  if (typeof value === 'string') return (isUnknown(value) ? UNKNOWN : value) as T;
  if (Array.isArray(value)) return value.map(nameUnknown) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, nameUnknown(inner)])) as T;
}

/**
 * Checks an answer of the right shape against its input: what must occur in it does, and values are in range.
 * @param mayInfer whether personal members need no quote
 * @returns what is wrong, one sentence each, for the model and for the operator
 */
export function findProblems(answer: ModelAnswer, input: CreatorInput, mayInfer: boolean): string[] {
  if (!hasLength(answer)) {
    // The other checks would take long.
    return [`lists must have at most ${MAX_LISTED} elements, and texts ${MAX_TEXT} characters`];
  }
  const text = foldTypography(input.words);
  return [
    ...findOutOfRange(answer),
    ...findInvented(answer, input, text),
    ...answer.evidence.flatMap(({ member, quote }) =>
      isQuote(text, quote) ? [] : [`evidence: the quote for ${member} does not occur in the input`],
    ),
    ...(mayInfer ? [] : [...findUnstated(answer, text), ...findSpecialTerms(answer, input)]),
  ];
}

function findOutOfRange(answer: ModelAnswer): string[] {
  const problems: string[] = [];
  const require = (isValid: boolean, problem: string) => isValid || problems.push(problem);
  const rating = (value: number, member: string) =>
    require(value >= 1 && value <= 10, `${member} must be from 1 to 10`);
  const { birthday, residence, height_in_inches: height } = answer;
  const indexes = [
    ...answer.content_formats.map(({ parent }) => parent.index),
    ...answer.interests.map(({ classification }) => classification.index),
  ];
  require(indexes.every((index) => index >= 0), 'index must be 0 or more');
  require(RATINGS.includes(answer.mpaa.rating), `mpaa.rating must be one of ${RATINGS.join(', ')}`);
  require(answer.gender === null ||
    GENDERS.includes(answer.gender), `gender must be one of ${GENDERS.join(', ')}, or null`);
  require(isUnknown(answer.age_range) ||
    parseAgeRange(answer.age_range) !==
      null, 'age_range must be like 25-34 or 65+, span at most 30 years, or be unknown');
  require(isUnknown(answer.primary_language) ||
    /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(
      answer.primary_language,
    ), 'primary_language must be a language code such as en, or unknown');
  for (const { strength_rating } of answer.content_formats)
    rating(strength_rating, 'content_formats[].strength_rating');
  for (const { strength_rating } of answer.interests) rating(strength_rating, 'interests[].strength_rating');
  for (const { estimated_importance } of answer.business.monetization)
    rating(estimated_importance, 'business.monetization[].estimated_importance');
  require(answer.platforms.every(({ platform_url }) =>
    isPage(platform_url),
  ), 'platforms[].platform_url must be an http or https address, or unknown');
  if (birthday !== null) require(isBirthday(birthday), 'birthday must be a date in the past, or null');
  if (residence !== null)
    require(isUnknown(residence.country_code) ||
      isCountry(
        residence.country_code,
      ), 'residence.country_code must be the two capital letters of a country, or unknown');
  require(height === null || (height >= 20 && height <= 110), 'height_in_inches must be from 20 to 110, or null');
  return [...new Set(problems)];
}

/** Reports whether an address has no scheme, or one of a page. A host may have a port, and no scheme has a dot. Browsers leave out
 * characters that are invisible, which could hide a scheme. */
const isPage = (address: string): boolean =>
  !/[\s\p{C}]/u.test(address.trim()) &&
  (/^https?:\/\//i.test(address.trim()) || !/^(?:[a-z][a-z0-9+-]*:|[^/?#]*:\/\/)/i.test(address.trim()));

function isBirthday({
  birthday_day: day,
  birthday_month: month,
  birthday_year: year,
}: NonNullable<ModelAnswer['birthday']>) {
  const date = new Date(Date.UTC(year, month - 1, day));
  return (
    year >= FIRST_YEAR && date.getTime() < Date.now() && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  );
}

function hasLength(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= MAX_TEXT;
  if (Array.isArray(value)) return value.length <= MAX_LISTED && value.every(hasLength);
  return typeof value !== 'object' || value === null || Object.values(value).every(hasLength);
}

/** Finds handles, addresses and names that do not occur in the input. @param text the creator's words with folded typography */
function findInvented(answer: ModelAnswer, { folded }: CreatorInput, text: string): string[] {
  const { aliases, platforms, family, background, business } = answer;
  const names = [
    ...aliases.map((name) => ['aliases', name] as const),
    ...family.notable_family_members.map(({ name }) => ['family.notable_family_members[].name', name] as const),
    ...background.education.map(({ institution }) => ['background.education[].institution', institution] as const),
    ...business.collaborations.map(
      ({ collaboration_partner: name }) => ['business.collaborations[].collaboration_partner', name] as const,
    ),
    ...business.ventures.map(({ venture_name: name }) => ['business.ventures[].venture_name', name] as const),
  ];
  const named = [
    ...platforms.map(({ handle }) => ['platforms[].handle', handle] as const),
    ...platforms.map(({ platform_url }) => ['platforms[].platform_url', platform_url] as const),
  ];
  const addresses = [...new Set(textsOf({ ...answer, evidence: [] }).flatMap(addressesIn))];
  if (addresses.length > MAX_ADDRESSES) return [`the answer must have at most ${MAX_ADDRESSES} addresses and handles`];
  const invented = [
    ...names.filter(([, name]) => !isUnknown(name) && !occursIn(text, foldQuote(name))),
    ...[...named, ...addresses.map((address) => ['the address', address] as const)].filter(
      ([, address]) => !isUnknown(address) && !occursAsAddress(folded, address),
    ),
  ];
  const quoted = invented.map(
    ([member, value]) => `${member} ${JSON.stringify(value.slice(0, 100))} does not occur in the input`,
  );
  return [...new Set(quoted)];
}

function findSpecialTerms(answer: ModelAnswer, { folded }: CreatorInput): string[] {
  const terms = specialTermsIn(foldText(textsOf({ ...answer, evidence: [] }).join('\n')));
  // Few answers have one, and the input is long.
  const stated = terms.size === 0 ? terms : specialTermsIn(folded);
  return Array.from(terms)
    .filter((term) => !stated.has(term))
    .map(
      (term) =>
        `${JSON.stringify(term)} is about health, religion, ethnicity or another special category, and the input does not say it`,
    );
}
