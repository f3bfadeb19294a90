import * as z from 'zod';
import { PLATFORMS } from '../../model/platforms.js';
import {
  dateTime,
  hideable,
  id,
  integer,
  list,
  nullable,
  number,
  oneOf,
  sensitive,
  shape,
  text,
} from '../../model/scalars.js';

const share = shape({ percentage: number.describe('Share of the audience in percent') });

/** Schema of the audience's shares per value of one trait. */
const distribution = list(
  shape({
    value: text.describe('Value of the trait'),
    percentage: number.describe('Share of the audience in percent'),
  }),
);

const strength_rating = integer.describe('Strength of the interest');
const interest = text.describe('Interest of the audience');
const emoji = text.describe('Emoji for the interest');

/** Schema of an analysis of a creator's audience. Only arrays may be missing from an imported line. */
export const audienceAnalysisSchema = shape({
  gender_distribution: hideable(
    shape({
      male: share.describe('Male'),
      female: share.describe('Female'),
      non_binary: share.describe('Non-binary'),
    }).describe('Genders'),
  ),
  age_ranges: hideable(distribution.describe('Age ranges')),
  countries: hideable(distribution.describe('Countries')),
  languages: hideable(distribution.describe('Languages')),
  ethnicity_distribution: sensitive(distribution.describe('Ethnicities')),
  occupation_distribution: hideable(distribution.describe('Occupations')),
  income_distribution: hideable(distribution.describe('Income')),
  education_level: hideable(distribution.describe('Levels of education')),
  family_status: sensitive(distribution.describe('Family status')),
  religion_distribution: sensitive(distribution.describe('Religions')),
  engagement_style: hideable(distribution.describe('Engagement styles')),
  interests: hideable(
    list(
      shape({
        value: interest,
        strength_rating,
        emoji,
        sub_interests: list(shape({ value: interest, strength_rating, emoji })).describe('Narrower interests'),
      }),
    ).describe('Interests'),
  ),
  community_health: hideable(
    shape({
      loyalty_score: number.describe('How loyal the community is to the creator'),
      cohesion_score: number.describe('How cohesive the community is'),
      toxicity_score: number.describe('How toxic the community is'),
      loyalty_signals: list(text).describe('Observations that indicate loyalty'),
      cohesion_signals: list(text).describe('Observations that indicate cohesion'),
      toxicity_signals: list(text).describe('Observations that indicate toxicity'),
    }).describe('Relationship of the community with the creator and among its members'),
  ),
  brand_safety: hideable(
    shape({
      overall_risk_level: number.describe('Overall risk'),
      risk_factors: list(
        shape({ factor: text.describe('Risk factor'), frequency: number.describe('How often it occurs') }),
      ).describe('Individual risks'),
    }).describe('Risks for brands that work with the creator'),
  ),
}).describe("AI-enriched analysis of a creator's audience");

export type AudienceAnalysis = z.output<typeof audienceAnalysisSchema>;

/** Schema of a line of an `audience` import. */
export const audienceLineSchema = shape({
  platform_id: oneOf(PLATFORMS),
  profile_id: id,
  last_updated_at: nullable(dateTime),
  audience: audienceAnalysisSchema,
});

export type AudienceLine = z.output<typeof audienceLineSchema>;
