import type { CreatorInput } from './creator-input.js';
import { foldText, textsOf } from './creator-input.js';
import { STATED_MEMBERS, type ModelAnswer, type StatedMember } from './answer-schema.js';
import { addressesIn, occursAsAddress, occursIn } from './occurs.js';
import { specialTermsIn } from './special-categories.js';
import { statesMonth } from './stated-month.js';

/** Word for a text that is not known, where the shape has no null. */
export const UNKNOWN = 'unknown';

const RATINGS = ['G', 'PG', 'PG-13', 'R', 'NC-17', UNKNOWN];
const GENDERS = ['male', 'female', 'non_binary'];
const FIRST_YEAR = 1900;
const MAX_LISTED = 50;
const MAX_TEXT = 4000;
const MIN_QUOTE = 3;

const isUnknown = (text: string): boolean =>
  /^(unknown|n\/a|none|not (known|stated|disclosed|applicable))?$/i.test(text.trim());

/** Makes unknown texts null where the shape has null, leaves them out of lists, and writes `unknown` elsewhere. */
export function normalizeAnswer({ evidence, ...given }: ModelAnswer): ModelAnswer {
  const orNull = (text: string | null) => (text === null || isUnknown(text) ? null : text);
  const answer = { ...nameUnknown(given), evidence };
  const { residence, appearance, business } = answer;
  const isNowhere = residence === null || [residence.city, residence.state, residence.country_code].every(isUnknown);
  const isKnown = (text: string) => !isUnknown(text);
  return {
    ...answer,
    aliases: answer.aliases.filter(isKnown),
    appearance: {
      ...appearance,
      notable_physical_characteristics: appearance.notable_physical_characteristics.filter(isKnown),
    },
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

/** Whether an answer gives a member. Those that are not given need no evidence. */
const IS_GIVEN: Readonly<Record<StatedMember, (answer: ModelAnswer) => boolean>> = {
  gender: ({ gender }) => gender !== null,
  age_range: ({ age_range }) => !isUnknown(age_range),
  real_first_name: ({ real_first_name }) => real_first_name !== null,
  real_last_name: ({ real_last_name }) => real_last_name !== null,
  birthday: ({ birthday }) => birthday !== null,
  residence: ({ residence }) => residence !== null,
  nationality: ({ nationality }) => nationality !== null,
  height_in_inches: ({ height_in_inches }) => height_in_inches !== null,
  'family.has_children': ({ family }) => family.has_children !== null,
  'family.relationship_status': ({ family }) => !isUnknown(family.relationship_status),
  'family.notable_family_members': ({ family }) => family.notable_family_members.length > 0,
  'appearance.shows_face': ({ appearance }) => appearance.shows_face !== null,
  'appearance.is_vtuber': ({ appearance }) => appearance.is_vtuber !== null,
  'appearance.is_ai_generated_influencer': ({ appearance }) => appearance.is_ai_generated_influencer !== null,
  'appearance.notable_physical_characteristics': ({ appearance }) =>
    appearance.notable_physical_characteristics.length > 0,
  'background.education': ({ background }) => background.education.length > 0,
};

/**
 * Checks an answer of the right shape against its input: what must occur in it does, and values are in range.
 * @param mayInfer whether personal members need no quote
 * @returns what is wrong, one sentence each, for the model and for the operator
 */
export function findProblems(answer: ModelAnswer, input: CreatorInput, mayInfer: boolean): string[] {
  return [
    ...findOutOfRange(answer),
    ...findInvented(answer, input),
    ...answer.evidence.flatMap(({ member, quote }) =>
      isQuote(input, quote) ? [] : [`evidence: the quote for ${member} does not occur in the input`],
    ),
    ...(mayInfer ? [] : [...findUnstated(answer, input), ...findSpecialTerms(answer, input)]),
  ];
}

const isQuote = ({ folded }: CreatorInput, quote: string): boolean =>
  quote.trim().length >= MIN_QUOTE && occursIn(folded, quote);

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
    /^(\d{1,2}-\d{1,2}|\d{2}\+)$/.test(answer.age_range), 'age_range must be like 25-34 or 65+, or unknown');
  require(isUnknown(answer.primary_language) ||
    /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(
      answer.primary_language,
    ), 'primary_language must be a language code such as en, or unknown');
  for (const { strength_rating } of answer.content_formats)
    rating(strength_rating, 'content_formats[].strength_rating');
  for (const { strength_rating } of answer.interests) rating(strength_rating, 'interests[].strength_rating');
  for (const { estimated_importance } of answer.business.monetization)
    rating(estimated_importance, 'business.monetization[].estimated_importance');
  if (birthday !== null) require(isBirthday(birthday), 'birthday must be a date in the past, or null');
  if (residence !== null)
    require(isUnknown(residence.country_code) ||
      /^[A-Z]{2}$/.test(residence.country_code), 'residence.country_code must be two capital letters, or unknown');
  require(height === null || (height >= 20 && height <= 110), 'height_in_inches must be from 20 to 110, or null');
  require(hasLength(answer), `lists must have at most ${MAX_LISTED} elements, and texts ${MAX_TEXT} characters`);
  return [...new Set(problems)];
}

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

/** Finds handles, addresses and names that do not occur in the input. */
function findInvented(answer: ModelAnswer, { folded }: CreatorInput): string[] {
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
  const addresses = [
    ...platforms.map(({ handle }) => ['platforms[].handle', handle] as const),
    ...platforms.map(({ platform_url }) => ['platforms[].platform_url', platform_url] as const),
    ...textsOf(answer).flatMap((text) => addressesIn(text).map((address) => ['the address', address] as const)),
  ];
  const invented = [
    ...names.filter(([, name]) => !isUnknown(name) && !occursIn(folded, name)),
    ...addresses.filter(([, address]) => !isUnknown(address) && !occursAsAddress(folded, address)),
  ];
  const quoted = invented.map(
    ([member, text]) => `${member} ${JSON.stringify(text.slice(0, 100))} does not occur in the input`,
  );
  return [...new Set(quoted)];
}

/** Members that only a quote with a number can state. */
const NUMERIC_MEMBERS = ['age_range', 'height_in_inches'] as const satisfies readonly StatedMember[];
const HAS_NUMBER = /[\p{N}一二三四五六七八九十]/u;

/** Finds personal members that are given without a quote that states them. */
function findUnstated(answer: ModelAnswer, input: CreatorInput): string[] {
  const { real_first_name, real_last_name, birthday, residence } = answer;
  const quoteFor = (member: StatedMember): string =>
    answer.evidence
      .filter((each) => each.member === member && isQuote(input, each.quote))
      .map(({ quote }) => foldText(quote))
      .join('\n');
  const lacking = STATED_MEMBERS.filter((member) => IS_GIVEN[member](answer) && quoteFor(member) === '');
  const literal: readonly (readonly [StatedMember, string | null])[] = [
    ['real_first_name', real_first_name],
    ['real_last_name', real_last_name],
    ['birthday', birthday && String(birthday.birthday_year)],
    ['residence', residence && residence.city],
    ['residence', residence && residence.state],
  ];
  const isDateMissing =
    birthday !== null && !lacking.includes('birthday') && !statesDate(quoteFor('birthday'), birthday);
  return [
    ...lacking.map(
      (member) => `${member}: evidence has no quote that states it; without one it must be null or unknown`,
    ),
    ...literal
      .filter(
        ([member, text]) =>
          text !== null && !isUnknown(text) && !lacking.includes(member) && !occursIn(quoteFor(member), text),
      )
      .map(([member]) => `${member} does not occur in its quote`),
    ...NUMERIC_MEMBERS.filter(
      (member) => IS_GIVEN[member](answer) && !lacking.includes(member) && !HAS_NUMBER.test(quoteFor(member)),
    ).map((member) => `${member}: its quote has no number`),
    ...(isDateMissing ? ['the day or the month of the birthday does not occur in its quote'] : []),
  ];
}

/** Reports whether a quote has the number of a day, such as `3`, `03` or `3rd`, and a month. */
const statesDate = (quote: string, { birthday_day, birthday_month }: NonNullable<ModelAnswer['birthday']>): boolean =>
  (quote.match(/\d+/g) ?? []).some((digits) => Number(digits) === birthday_day) && statesMonth(quote, birthday_month);

function findSpecialTerms(answer: ModelAnswer, { folded }: CreatorInput): string[] {
  return Array.from(specialTermsIn(foldText(textsOf({ ...answer, evidence: [] }).join('\n'))))
    .filter((term) => !folded.includes(term))
    .map(
      (term) =>
        `${JSON.stringify(term)} is about health, religion, ethnicity or another special category, and the input does not say it`,
    );
}
