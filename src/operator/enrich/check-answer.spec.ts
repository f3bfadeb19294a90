import { describe, expect, it } from '@jest/globals';
import { anAnswer } from '../../../test/support/enrich/answers.js';
import type { ModelAnswer, StatedMember } from './answer-schema.js';
import { findProblems, normalizeAnswer } from './check-answer.js';
import { inputFromText } from './creator-input.js';

const inputOf = (description: string) =>
  inputFromText(JSON.stringify({ profile: { description }, links: [], content: [] }));

/** Checks an answer whose quotes are for one member. */
function problemsOf(
  description: string,
  given: Partial<ModelAnswer>,
  member: StatedMember = 'gender',
  ...quotes: readonly string[]
): readonly string[] {
  const evidence = quotes.map((quote) => ({ member, quote }));
  const answer = anAnswer({ profile: { display_name: 'Mara' } }, { ...given, evidence });
  return findProblems(answer, inputOf(description), false);
}

const appearance = (...notable_physical_characteristics: string[]) => ({
  appearance: { shows_face: null, is_vtuber: null, is_ai_generated_influencer: null, notable_physical_characteristics },
});
const education = (institution: string, degree: string, field: string) => ({
  background: { education: [{ institution, degree, field }], original_motivation: 'unknown' },
});
const page = (platform_url: string) => ({
  platforms: [{ platform_name: 'x', handle: 'maria', platform_url, primary_content_type: 'video' }],
});

describe('findProblems, of what a quote states', () => {
  const birthday = { birthday_day: 3, birthday_month: 5, birthday_year: 1997 };
  const berlin = { city: 'Berlin', state: 'unknown', country_code: 'DE' };

  it('accepts a birthday that one quote states', () => {
    expect(problemsOf('Born 3 May 1997.', { birthday }, 'birthday', 'Born 3 May 1997')).toEqual([]);
  });

  it.each<[string, Partial<ModelAnswer>, StatedMember, string, number]>([
    ['I play FIFA 23 all day', { age_range: '18-24' }, 'age_range', '23', 1],
    ['Streams daily. 23, she/her', { age_range: '18-24' }, 'age_range', '23', 0],
    ['Channel launched 3 May 1997.', { birthday }, 'birthday', '3 May 1997', 1],
    ['A fan from Berlin sent me a pillow', { residence: berlin }, 'residence', 'Berlin', 1],
    ['I stream from Berlin', { residence: berlin }, 'residence', 'Berlin', 0],
  ])('judges a quote by its sentence: %j', (description, given, member, quote, problems) => {
    expect(problemsOf(description, given, member, quote)).toHaveLength(problems);
  });

  it('rejects a birthday that only several quotes state together', () => {
    const description = '3 tips for you. Live in May. Retro since 1997.';
    expect(problemsOf(description, { birthday }, 'birthday', '3 tips', 'Live in May', 'since 1997')).toEqual([
      'birthday: no quote has its day 3, month 5 and year 1997, side by side',
    ]);
  });

  it('rejects a birthday whose day and month are one number', () => {
    const july = { birthday_day: 7, birthday_month: 7, birthday_year: 1997 };
    expect(problemsOf('since 7.1997', { birthday: july }, 'birthday', 'since 7.1997')).toHaveLength(1);
  });

  it.each<[Partial<ModelAnswer>, StatedMember, string]>([
    [
      { age_range: '13-17' },
      'age_range',
      'age_range: no quote has an age of 13-17 in digits, or a birth year that makes one',
    ],
    [
      { height_in_inches: 70 },
      'height_in_inches',
      'height_in_inches: no quote has the height of 70 inches, with a unit',
    ],
    [
      { residence: { city: 'unknown', state: 'unknown', country_code: 'IR' } },
      'residence',
      'residence: no quote has the country IR, a city or a state',
    ],
    [
      appearance('missing left arm'),
      'appearance.notable_physical_characteristics',
      'appearance.notable_physical_characteristics: no quote has "missing left arm"',
    ],
    [
      education('Games', 'PhD', 'Medicine'),
      'background.education',
      'background.education: no quote has "Games" and "PhD" and "Medicine"',
    ],
  ])('rejects %j, which another quote does not state', (given, member, problem) => {
    expect(problemsOf('Top 10 games', given, member, 'Top 10 games')).toEqual([problem]);
  });

  it.each<[Partial<ModelAnswer>, StatedMember, string]>([
    [
      { residence: { city: 'Paris', state: 'Texas', country_code: 'US' } },
      'residence',
      'residence: no quote has "Paris" and "Texas"',
    ],
    [
      education('Paris', 'unknown', 'music'),
      'background.education',
      'background.education: no quote has "Paris" and "music"',
    ],
  ])('rejects %j, which only two quotes state together', (given, member, problem) => {
    const description = 'Paris review. Texas music.';
    expect(problemsOf(description, given, member, 'Paris review', 'Texas music')).toEqual([problem]);
  });

  it.each([
    ['I’m 24 – and happy', "I'm 24 - and happy"],
    ["I'm 24 and happy", 'I’m 24'],
    ['I am 24 and happy', '"I am 24"'],
    ['I am 24 and happy', '“I am 24.”'],
    ['Age:\u200b 24', 'Age: 24'],
    ['❤️ 24, Oslo', '❤ 24, Oslo'],
    ['24 and happy', '24'],
  ])('finds in %j the quote %j', (description, quote) => {
    expect(problemsOf(description, { age_range: '18-24' }, 'age_range', quote)).toEqual([]);
  });

  it.each<[string, Partial<ModelAnswer>, StatedMember, string]>([
    ['My name is mara.', { real_first_name: 'Mara' }, 'real_first_name', 'My name is mara'],
    ['已婚，喜歡打遊戲', { gender: 'female' }, 'gender', '已婚'],
    [
      'I live in Austin, Texas',
      { residence: { city: 'Austin', state: 'Texas', country_code: 'US' } },
      'residence',
      'Austin, Texas',
    ],
  ])('accepts of %j the answer %j', (description, given, member, quote) => {
    expect(problemsOf(description, given, member, quote)).toEqual([]);
  });

  it('accepts characteristics and education that a quote states', () => {
    const description = 'Red hair, and a BSc in Physics of Port University.';
    const member = 'appearance.notable_physical_characteristics';
    expect(problemsOf(description, appearance('red hair'), member, 'Red hair')).toEqual([]);
    const quote = 'a BSc in Physics of Port University';
    const given = education('Port University', 'BSc', 'Physics');
    expect(problemsOf(description, given, 'background.education', quote)).toEqual([]);
  });
});

describe('findProblems, of quotes', () => {
  it.each([
    ['I love pizza', 'i', 1],
    ['女です', '女', 0],
  ])('of %j takes %j as evidence unless it is one letter of an alphabet', (description, quote, problems) => {
    const found = problemsOf(description, { gender: 'female' }, 'gender', quote).filter((each) =>
      each.includes('quote for'),
    );
    expect(found).toHaveLength(problems);
  });
});

describe('findProblems, of what the input does not name', () => {
  it.each([
    ['She lives with HIV.', 'See the archive', '"hiv"'],
    ['A gay creator.', 'Love from Margaye', '"gay"'],
    ['An asian creator.', 'A eurasian cat', '"asian"'],
    ['She is a Jew.', 'Bring a jewel', '"jew"'],
  ])('rejects %j although %j has its letters', (biography, description, term) => {
    expect(problemsOf(description, { biography })).toEqual([expect.stringContaining(term)]);
  });

  it.each([
    'Shows an archive of Romanian hives.',
    'Explains a democratic hivemind.',
    'Cooks Asian food in Islamabad.',
    'Speaks of Hindustan.',
  ])('accepts %j, which is about no special category', (biography) => {
    expect(problemsOf('hi there', { biography })).toEqual([]);
  });

  it('accepts a special category that the input says', () => {
    expect(problemsOf('A gay muslim streamer', { biography: 'A Muslim and gay creator.' })).toEqual([]);
  });

  it.each(['javascript://x.com/maria', 'javascript:x', 'data:text/html,x', 'ftp://x.com/maria'])(
    'rejects %j as the address of a page',
    (url) => {
      expect(problemsOf(`maria at ${url}`, page(url))).toContain(
        'platforms[].platform_url must be an http or https address, or unknown',
      );
    },
  );

  it.each(['https://x.com/maria', 'x.com/maria', 'x.com:443/maria', 'unknown'])('accepts the page %j', (url) => {
    expect(problemsOf(`maria at ${url}`, page(url))).toEqual([]);
  });
});

describe('findProblems, of long answers', () => {
  it('checks the same address once, whatever the input', () => {
    const begun = performance.now();
    expect(problemsOf('a'.repeat(23_000), { biography: '@aa '.repeat(1000).trim() })).toEqual([
      'the address "@aa" does not occur in the input',
    ]);
    expect(performance.now() - begun).toBeLessThan(3000);
  });

  it('rejects more addresses than anybody reads', () => {
    const biography = Array.from({ length: 201 }, (_, index) => `@user${index}`).join(' ');
    expect(problemsOf(biography, { biography })).toEqual(['the answer must have at most 200 addresses and handles']);
  });

  it('checks nothing else of an answer that is too long', () => {
    const aliases = Array.from({ length: 51 }, (_, index) => `alias ${index}`);
    expect(problemsOf('hi there', { aliases })).toEqual([expect.stringMatching(/^lists must have at most 50/)]);
  });
});

describe('normalizeAnswer', () => {
  it('leaves out relatives without a name, of whom nothing can be checked', () => {
    const relative = (name: string) => ({ name, relationship: 'wife', public_figure: false, appears_in_content: true });
    const family = {
      has_children: null,
      relationship_status: 'unknown',
      notable_family_members: [relative('unknown'), relative('Maria')],
    };
    const answer = anAnswer({ profile: { display_name: 'Mara' } }, { family });
    expect(normalizeAnswer(answer).family.notable_family_members).toEqual([relative('Maria')]);
  });
});
