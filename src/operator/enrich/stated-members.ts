import { STATED_MEMBERS, type ModelAnswer, type StatedMember } from './answer-schema.js';
import { withoutOthers } from './other-subjects.js';
import { sentencesWith } from './sentences.js';
import { statesCountry } from './stated-country.js';
import { statesAge } from './stated-age.js';
import { statesBirthday, statesHeight, statesWords } from './stated-values.js';
import { foldQuote, trimQuote } from './typography.js';
import { isUnknown } from './unknown.js';

/** Reports whether one of the texts of an input has a quote. @param text the creator's words with folded typography */
export const isQuote = (text: string, quote: string): boolean => statesWords(text, trimQuote(foldQuote(quote)));

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

/** A value that the quotes of a member must state. */
interface StatedValue {
  readonly member: StatedMember;
  /** Reports whether one quote, or its sentence, states it. @param quote as the answer has it, or in the form of `foldQuote` */
  readonly isIn: (quote: string) => boolean;
  readonly problem: string;
}

/** Finds personal members that are given without a quote that states them. @param text the creator's words with folded typography */
export function findUnstated(answer: ModelAnswer, text: string): string[] {
  const quotes = answer.evidence.filter(({ quote }) => isQuote(text, quote));
  const quotesFor = (member: StatedMember) => quotes.filter((each) => each.member === member);
  const lacking = STATED_MEMBERS.filter((member) => IS_GIVEN[member](answer) && quotesFor(member).length === 0);
  const states = (isIn: StatedValue['isIn'], quote: string) =>
    isIn(quote) && sentencesWith(text, trimQuote(foldQuote(quote))).some(isIn);
  const unstated = valuesOf(answer).filter(
    ({ member, isIn }) => !lacking.includes(member) && !quotesFor(member).some(({ quote }) => states(isIn, quote)),
  );
  return [
    ...lacking.map(
      (member) => `${member}: evidence has no quote that states it; without one it must be null or unknown`,
    ),
    ...new Set(unstated.map(({ member, problem }) => `${member}: ${problem}`)),
  ];
}

/** Returns the values of an answer that its quotes must state. Of other members, such as the gender, a quote has other words. */
function valuesOf({ appearance, background, residence, ...answer }: ModelAnswer): StatedValue[] {
  const { real_first_name: first, real_last_name: last, birthday, age_range, height_in_inches: height } = answer;
  return [
    ...placesOf(residence),
    ...appearance.notable_physical_characteristics.flatMap((text) =>
      words('appearance.notable_physical_characteristics', [text]),
    ),
    ...background.education.flatMap(({ institution, degree, field }) =>
      words('background.education', [institution, degree, field]),
    ),
    ...words('real_first_name', first === null ? [] : [first]),
    ...words('real_last_name', last === null ? [] : [last]),
    ...(birthday === null ? [] : [birthdayValue(birthday)]),
    ...(isUnknown(age_range) ? [] : [ageValue(age_range)]),
    ...(height === null ? [] : [heightValue(height)]),
  ];
}

function birthdayValue(birthday: NonNullable<ModelAnswer['birthday']>): StatedValue {
  const { birthday_day: day, birthday_month: month, birthday_year: year } = birthday;
  const problem = `no quote has its day ${day}, month ${month} and year ${year}, side by side`;
  return { member: 'birthday', isIn: (quote) => statesBirthday(foldQuote(quote), birthday), problem };
}

const ageValue = (range: string): StatedValue => ({
  member: 'age_range',
  isIn: (quote) => statesAge(foldQuote(quote), range),
  problem: `no quote has an age of ${range} in digits, or a birth year that makes one`,
});

const heightValue = (inches: number): StatedValue => ({
  member: 'height_in_inches',
  isIn: (quote) => statesHeight(foldQuote(quote), inches),
  problem: `no quote has the height of ${inches} inches, with a unit`,
});

/** A country needs no words if a city or a state is stated. */
function placesOf(residence: ModelAnswer['residence']): StatedValue[] {
  if (residence === null) return [];
  const { city, state, country_code: code } = residence;
  const places = words('residence', [city, state]).map(({ isIn, ...place }) => ({
    ...place,
    isIn: (quote: string) => isIn(withoutOthers(foldQuote(quote))),
  }));
  if (places.length > 0 || isUnknown(code)) return places;
  const problem = `no quote has the country ${code}, a city or a state`;
  return [{ member: 'residence', isIn: (quote) => statesCountry(withoutOthers(quote), code), problem }];
}

/** Returns the value of texts that one quote must have. Those that are not known need none. */
function words(member: StatedMember, texts: readonly string[]): StatedValue[] {
  const known = texts.filter((text) => !isUnknown(text));
  if (known.length === 0) return [];
  const isIn = (quote: string) => known.every((text) => statesWords(foldQuote(quote), foldQuote(text)));
  return [
    { member, isIn, problem: `no quote has ${known.map((text) => JSON.stringify(text.slice(0, 100))).join(' and ')}` },
  ];
}
