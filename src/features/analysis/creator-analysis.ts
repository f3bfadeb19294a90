import { z } from 'zod';
import { PLATFORMS } from '../../model/platforms.js';
import { boolean, dateTime, id, integer, list, nullable, oneOf, shape, text } from '../../model/scalars.js';

const strength_rating = integer.describe('How strongly it applies');
const classification = shape({ topic: text, category: text, reason: text });

const family = shape({
  has_children: boolean,
  relationship_status: text,
  notable_family_members: list(
    shape({ name: text, relationship: text, public_figure: boolean, appears_in_content: boolean }),
  ),
});

const appearance = shape({
  shows_face: boolean,
  is_vtuber: boolean,
  is_ai_generated_influencer: boolean,
  notable_physical_characteristics: list(text),
});

const business = shape({
  collaborations: list(shape({ collaboration_partner: text, collaboration_type: text, description: text })),
  monetization: list(
    shape({ revenue_stream: text, estimated_importance: integer, details: text, platform: nullable(text) }),
  ),
  ventures: list(shape({ venture_name: text, venture_type: text, description: text, role: text, launch_date: text })),
});

/** A creator as person and business. Unlike elsewhere, only nullable members and arrays may be left out of a line. */
export const creatorAnalysisSchema = shape({
  channel_type: text.describe('Kind of channel'),
  gender: nullable(text).describe('Gender'),
  age_range: text.describe('Age range'),
  primary_language: text.describe('Language mostly used'),
  mpaa: shape({ rating: text, reason: text }).describe('Film rating that would suit the content'),
  content_formats: list(
    shape({ content_format: text, strength_rating, parent: shape({ value: text, index: integer }) }),
  ).describe('Formats of the content'),
  interests: list(
    shape({
      interest: text,
      strength_rating,
      reason: text,
      classification: shape({ topic: text, category: text, index: integer }),
    }),
  ).describe('Interests'),
  biography: text.describe('Biography'),
  classifications: list(classification).describe('Topics the creator stands for'),
  primary_classification: classification.describe('The topic the creator mostly stands for'),
  real_first_name: nullable(text).describe('Real first name'),
  real_last_name: nullable(text).describe('Real last name'),
  aliases: list(text).describe('Other names'),
  birthday: nullable(shape({ birthday_day: integer, birthday_month: integer, birthday_year: integer })).describe(
    'Birthday',
  ),
  residence: nullable(shape({ city: text, state: text, country_code: text })).describe('Place of residence'),
  nationality: nullable(text).describe('Nationality'),
  height_in_inches: nullable(integer).describe('Height in inches'),
  family: family.describe('Family'),
  appearance: appearance.describe('Appearance'),
  platforms: list(
    shape({ platform_name: text, handle: text, platform_url: text, primary_content_type: text }),
  ).describe('Where else the creator is found'),
  background: shape({
    education: list(shape({ institution: text, degree: text, field: text })),
    original_motivation: text,
  }).describe('Education and motivation'),
  business: business.describe('Collaborations, income and ventures'),
}).describe('AI-enriched analysis of a creator');

export type CreatorAnalysis = z.output<typeof creatorAnalysisSchema>;

export const analysisLineSchema = shape({
  platform_id: oneOf(PLATFORMS),
  profile_id: id,
  updated_at: nullable(dateTime),
  analysis: creatorAnalysisSchema,
});

export type AnalysisLine = z.output<typeof analysisLineSchema>;
