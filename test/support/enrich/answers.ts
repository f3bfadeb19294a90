import type { ModelAnswer } from '../../../src/operator/enrich/answer-schema.js';

/** Data about a creator in a request. */
export interface CreatorData {
  readonly profile: Readonly<Record<string, unknown>>;
  readonly links: readonly object[];
  readonly content: readonly Readonly<Record<string, unknown>>[];
}

/** Creates an honest answer about a creator: nothing that the data does not say. */
export function anAnswer({ profile }: Pick<CreatorData, 'profile'>, given: Partial<ModelAnswer> = {}): ModelAnswer {
  const classification = { topic: 'Gaming', category: 'Adventure games', reason: 'Most titles are about them.' };
  return {
    channel_type: 'individual_creator',
    gender: null,
    age_range: 'unknown',
    primary_language: 'en',
    mpaa: { rating: 'PG', reason: 'Nothing in the titles is violent.' },
    content_formats: [{ content_format: 'Live gameplay', strength_rating: 8, parent: { value: 'Gaming', index: 0 } }],
    interests: [
      {
        interest: 'Adventure games',
        strength_rating: 7,
        reason: 'Titles name them.',
        classification: { topic: 'Gaming', category: 'Adventure games', index: 0 },
      },
    ],
    biography: `${String(profile.display_name)} plays games.`,
    classifications: [classification],
    primary_classification: classification,
    real_first_name: null,
    real_last_name: null,
    aliases: [],
    birthday: null,
    residence: null,
    nationality: null,
    height_in_inches: null,
    family: { has_children: null, relationship_status: 'unknown', notable_family_members: [] },
    appearance: {
      shows_face: null,
      is_vtuber: null,
      is_ai_generated_influencer: null,
      notable_physical_characteristics: [],
    },
    platforms: [],
    background: { education: [], original_motivation: 'unknown' },
    business: { collaborations: [], monetization: [], ventures: [] },
    evidence: [],
    ...given,
  };
}
