import { STATED_MEMBERS, type ModelAnswer, type StatedMember } from './answer-schema.js';
import { foldText, type CreatorInput } from './creator-input.js';
import { occursIn } from './occurs.js';
import { statesCountry } from './stated-country.js';
import { statesAge, statesBirthday, statesHeight, statesName } from './stated-values.js';
import { isUnknown } from './unknown.js';

const MIN_QUOTE = 3;

/** Reports whether an input has a quote, in one of its texts. */
export const isQuote = ({ folded }: CreatorInput, quote: string): boolean =>
  quote.trim().length >= MIN_QUOTE && occursIn(folded, quote);

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
  /** Reports whether one quote states it. @param quote as the answer has it */
  readonly isIn: (quote: string) => boolean;
  readonly problem: string;
}

/** Finds personal members that are given without a quote that states them. */
export function findUnstated(answer: ModelAnswer, input: CreatorInput): string[] {
  const quotes = answer.evidence.filter(({ quote }) => isQuote(input, quote));
  const quotesFor = (member: StatedMember) => quotes.filter((each) => each.member === member);
  const lacking = STATED_MEMBERS.filter((member) => IS_GIVEN[member](answer) && quotesFor(member).length === 0);
  const unstated = valuesOf(answer).filter(
    ({ member, isIn }) => !lacking.includes(member) && !quotesFor(member).some(({ quote }) => isIn(quote)),
  );
  return [
    ...lacking.map(
      (member) => `${member}: evidence has no quote that states it; without one it must be null or unknown`,
    ),
    ...new Set(unstated.map(({ problem }) => problem)),
  ];
}

/** Returns the values of an answer that its quotes must state. Of other members, such as the gender, a quote has other words. */
function valuesOf(answer: ModelAnswer): StatedValue[] {
  const {
    real_first_name,
    real_last_name,
    birthday,
    age_range,
    height_in_inches: height,
    appearance,
    background,
  } = answer;
  const values: StatedValue[] = [
    ...placesOf(answer.residence),
    ...appearance.notable_physical_characteristics.flatMap((text) =>
      literal('appearance.notable_physical_characteristics', text),
    ),
    ...background.education.flatMap(({ institution, degree, field }) =>
      [institution, degree, field].flatMap((text) => literal('background.education', text)),
    ),
  ];
  const state = (member: StatedMember, isIn: StatedValue['isIn'], problem: string) =>
    values.push({ member, isIn, problem: `${member}${problem}` });
  for (const [member, name] of [
    ['real_first_name', real_first_name],
    ['real_last_name', real_last_name],
  ] as const) {
    if (name === null) continue;
    state(member, (quote) => statesName(quote, name), ' does not occur in its quote, with a capital letter');
  }
  if (birthday !== null) {
    const isIn = (quote: string) => statesBirthday(foldText(quote), birthday);
    state('birthday', isIn, ': no quote has its day, month and year');
  }
  if (!isUnknown(age_range)) {
    state('age_range', (quote) => statesAge(foldText(quote), age_range), ': no quote has an age or a birth year in it');
  }
  if (height !== null) {
    state('height_in_inches', (quote) => statesHeight(foldText(quote), height), ': no quote has this height');
  }
  return values;
}

/** A country needs no words if a city or a state is stated. */
function placesOf(residence: ModelAnswer['residence']): StatedValue[] {
  if (residence === null) return [];
  const { city, state, country_code: code } = residence;
  const places = [city, state].flatMap((place) => literal('residence', place));
  if (places.length > 0 || isUnknown(code)) return places;
  const problem = 'residence: no quote has the country, a city or a state';
  return [{ member: 'residence', isIn: (quote) => statesCountry(quote, code), problem }];
}

const literal = (member: StatedMember, text: string): StatedValue[] =>
  isUnknown(text)
    ? []
    : [{ member, isIn: (quote) => occursIn(foldText(quote), text), problem: `${member} does not occur in its quote` }];
