import { z } from 'zod';
import { PLATFORMS } from '../../model/platforms.js';
import { dateTime, id, integer, list, nullable, number, oneOf, shape, text } from '../../model/scalars.js';

const share = shape({ percentage: number.describe('Share of the audience in percent') });

/** How the audience divides over the values of one trait. */
const distribution = list(shape({ value: text, percentage: number.describe('Share of the audience in percent') }));

const strength_rating = integer.describe('Strength of the interest');
const signals = list(text);

/** What is known about a creator's audience. Only the arrays may be left out of a line. */
export const audienceAnalysisSchema = shape({
  gender_distribution: shape({ male: share, female: share, non_binary: share }),
  age_ranges: distribution.describe('Age ranges'),
  countries: distribution.describe('Countries'),
  languages: distribution.describe('Languages'),
  ethnicity_distribution: distribution.describe('Ethnicities'),
  occupation_distribution: distribution.describe('Occupations'),
  income_distribution: distribution.describe('Income'),
  education_level: distribution.describe('Levels of education'),
  family_status: distribution.describe('Family status'),
  religion_distribution: distribution.describe('Religions'),
  engagement_style: distribution.describe('Ways of taking part'),
  interests: list(
    shape({
      value: text,
      strength_rating,
      emoji: text,
      sub_interests: list(shape({ value: text, strength_rating, emoji: text })),
    }),
  ).describe('Interests'),
  community_health: shape({
    loyalty_score: number,
    cohesion_score: number,
    toxicity_score: number,
    loyalty_signals: signals,
    cohesion_signals: signals,
    toxicity_signals: signals,
  }).describe('How the community gets on with the creator and with itself'),
  brand_safety: shape({
    overall_risk_level: number,
    risk_factors: list(shape({ factor: text, frequency: number })),
  }).describe('Risks for brands that appear beside the creator'),
}).describe("AI-enriched analysis of a creator's audience");

export type AudienceAnalysis = z.output<typeof audienceAnalysisSchema>;

export const audienceLineSchema = shape({
  platform_id: oneOf(PLATFORMS),
  profile_id: id,
  last_updated_at: nullable(dateTime),
  audience: audienceAnalysisSchema,
});

export type AudienceLine = z.output<typeof audienceLineSchema>;
