import type { Profile } from '../../../src/features/profiles/profile.js';
import { ANALYSIS } from '../openapi/operations.js';
import { aContent, aProfile, liveGame } from '../records/builders.js';
import type { TestService } from '../service/test-service.js';
import { Choices } from './random.js';

/** Creator with everything that a search can depend on. */
export interface Creator {
  readonly profile: Profile;
  /** Topics and categories of the analysis; null without one. */
  readonly topics: readonly string[] | null;
  readonly country: string | null;
  readonly games: readonly string[];
  readonly hasEmail: boolean;
  readonly hasAudience: boolean;
  /** Number of links; null if none were ever loaded. */
  readonly links: number | null;
}

export const WORDS = [
  'speed', 'speedrun', 'speedrunner', 'running', 'Café', 'cafeteria', 'Über', 'uber', 'Half-Life', 'half', 'life', 'S.T.A.L.K.E.R.',
  "Assassin's", 'Creed', 'über-cool', 'cosy', 'cozy', 'games', 'gamer', 'Gaming', 'の', '日本語ゲーム', 'ゲーム', 'straße', '4k', 'x',
  'émigré', 'Pokémon', 'chess', 'CHESS', 'piano', 'pianist', 'zzyzx',
]; // prettier-ignore
export const LANGUAGES = ['en', 'EN', 'de', 'fr', 'pt-BR', 'pt-br', 'ja'];
export const TYPES = ['partner', 'affiliate', 'Partner'];
export const TOPICS = ['Gaming', 'gaming', 'GAMING', 'Music', 'Müsic', 'Science & Tech', 'Food', 'art'];
export const COUNTRIES = ['DE', 'de', 'US', 'FR', 'BR'];
export const GAMES = ['1', '2', '33', 'g-4', 'É'];

const wordsOf = (choices: Choices, most: number) =>
  choices.some(WORDS, most).join(choices.pick([' ', '  ', '\n', ' | ']));
const orNull = <T>(choices: Choices, share: number, value: () => T): T | null =>
  choices.chance(share) ? null : value();

/** Generates a creator. @param version changes everything but the ID */
export function creatorOf(number: number, version = 0): Creator {
  const choices = new Choices(number * 7919 + version * 104_729 + 1);
  const id = `${choices.pick(['', '', 'A', 'a', 'ü', '-'])}${number}${number % 97 === 0 ? ' ' : ''}`.replace(
    /^.*$/,
    (text) => (version === 0 ? text : creatorOf(number).profile.id),
  );
  const analysed = choices.chance(0.3);
  const day = (days: number) => new Date(Date.UTC(2026, 0, 1) + days * 86_400_000).toISOString();
  return {
    profile: aProfile({
      id,
      name: orNull(choices, 0.05, () => `${choices.pick(WORDS).replaceAll(/\W/g, '')}_${number % 400}`),
      display_name: orNull(choices, 0.2, () => wordsOf(choices, 2)),
      description: orNull(choices, 0.1, () => wordsOf(choices, 8)),
      language: orNull(choices, 0.1, () => choices.pick(LANGUAGES)),
      account_type: orNull(choices, 0.3, () => choices.pick(TYPES)),
      is_mature: orNull(choices, 0.2, () => choices.chance(0.2)),
      statistics: {
        followers: orNull(choices, 0.05, () =>
          choices.chance(0.5) ? choices.below(20) : Math.floor(50 / (choices.next() ** 2 + 1e-5)),
        ),
        views_estimated: null,
      },
      last_active_at: orNull(choices, 0.1, () => day(choices.chance(0.5) ? choices.below(30) : choices.next() * 60)),
    }),
    topics: analysed ? choices.some(TOPICS, 6) : null,
    country: analysed ? orNull(choices, 0.4, () => choices.pick(COUNTRIES)) : null,
    games: choices.chance(0.2) ? choices.some(GAMES, 3) : [],
    hasEmail: choices.chance(0.3),
    hasAudience: choices.chance(0.1),
    links: choices.chance(0.3) ? choices.below(2) : null,
  };
}

/** Loads creators. Documents and content that an earlier version of a creator had stay, unless this version has others. */
export async function loadCreators(service: TestService, creators: readonly Creator[]): Promise<void> {
  const keyed = (of: readonly Creator[], members: (creator: Creator) => object) =>
    of.map((creator) => ({ platform_id: 'live_platform', profile_id: creator.profile.id, ...members(creator) }));
  await service.load('profiles', ...creators.map(({ profile }) => profile));
  const analysed = keyed(
    creators.filter(({ topics }) => topics !== null),
    ({ topics, country }) => ({ analysis: analysisOf(topics ?? [], country) }),
  );
  await service.load('analysis', ...analysed);
  await service.load(
    'emails',
    ...keyed(
      creators.filter(({ hasEmail }) => hasEmail),
      () => ({ email: 'creator@example.com' }),
    ),
  );
  await service.load(
    'audience',
    ...keyed(
      creators.filter(({ hasAudience }) => hasAudience),
      () => ({ last_updated_at: null, audience: AUDIENCE }),
    ),
  );
  await service.load(
    'socials',
    ...keyed(
      creators.filter(({ links }) => links !== null),
      ({ links }) => ({ links: links === 0 ? [] : [{ id: 'x', platform_id: 'video_platform' }] }),
    ),
  );
  const items = creators.flatMap(({ profile: { id }, games }) =>
    games.map((game, index) =>
      aContent({
        content_id: `${id} ${index}`,
        profile_id: id,
        categories: index === 2 ? [] : [liveGame(game)],
        chapters: index === 2 ? [{ ...CHAPTER, categories: [liveGame(game)] }] : [],
      }),
    ),
  );
  if (items.length > 0) await service.load('content', ...items);
}

const CHAPTER = {
  id: 'c', title: null, description: null, created_at: null, ended_at: null, duration: null, tags: [], statistics: {},
}; // prettier-ignore

const AUDIENCE = {
  gender_distribution: { male: { percentage: 60 }, female: { percentage: 38 }, non_binary: { percentage: 2 } },
  community_health: { loyalty_score: 0.5, cohesion_score: 1, toxicity_score: 0 },
  brand_safety: { overall_risk_level: 0.25 },
};

/** The first topic and category are primary, the others pairs of classifications. */
function analysisOf([first = '', second = first, ...others]: readonly string[], country: string | null): object {
  return {
    ...ANALYSIS,
    primary_classification: { topic: first, category: second, reason: 'r' },
    classifications: others.map((topic) => ({ topic, category: first, reason: 'r' })),
    residence: country === null ? null : { city: 'c', state: 's', country_code: country },
  };
}
