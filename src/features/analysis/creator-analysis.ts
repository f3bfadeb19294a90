import { z } from 'zod';
import { PLATFORMS } from '../../model/platforms.js';
import {
  boolean,
  dateTime,
  hideable,
  id,
  integer,
  list,
  nullable,
  oneOf,
  sensitive,
  shape,
  text,
} from '../../model/scalars.js';

const strength_rating = integer.describe('How strongly it applies');
const topic = text.describe('Topic');
const category = text.describe('Category within the topic');
const reason = text.describe('Why the AI thinks so');
const classification = shape({ topic, category, reason });

const family = shape({
  has_children: boolean.describe('Whether the creator has children'),
  relationship_status: text.describe('Such as single or married'),
  notable_family_members: list(
    shape({
      name: text.describe('Name'),
      relationship: text.describe('Relationship to the creator'),
      public_figure: boolean.describe('Whether the person is publicly known'),
      appears_in_content: boolean.describe('Whether the person appears in the content'),
    }),
  ).describe('Relatives that are known'),
});

const appearance = shape({
  shows_face: boolean.describe('Whether the face is seen'),
  is_vtuber: boolean.describe('Whether an animated figure stands for the creator'),
  is_ai_generated_influencer: boolean.describe('Whether the creator is made by an AI'),
  notable_physical_characteristics: list(text).describe('What the creator is recognised by'),
});

const business = shape({
  collaborations: list(
    shape({
      collaboration_partner: text.describe('With whom'),
      collaboration_type: text.describe('Kind of collaboration'),
      description: hideable(text.describe('What was done together')),
    }),
  ).describe('Work with brands and other creators'),
  monetization: list(
    shape({
      revenue_stream: text.describe('Kind of income'),
      estimated_importance: integer.describe('How much of the income it is thought to be'),
      details: text.describe('What is known about it'),
      platform: nullable(text).describe('Where it is earned'),
    }),
  ).describe('Sources of income'),
  ventures: list(
    shape({
      venture_name: text.describe('Name of the venture'),
      venture_type: text.describe('Kind of venture'),
      description: hideable(text.describe('What it does')),
      role: text.describe("The creator's part in it"),
      launch_date: text.describe('When it began'),
    }),
  ).describe('Businesses of the creator'),
});

/** Schema of an analysis of a creator. Only nullable members and arrays may be missing from an imported line. */
export const creatorAnalysisSchema = shape({
  channel_type: hideable(text.describe('Kind of channel')),
  gender: hideable(nullable(text).describe('Gender')),
  age_range: hideable(text.describe('Age range')),
  primary_language: hideable(text.describe('Language mostly used')),
  mpaa: hideable(
    shape({ rating: text.describe('Such as PG-13'), reason }).describe('Film rating that would suit the content'),
  ),
  content_formats: hideable(
    list(
      shape({
        content_format: text.describe('Name of the format'),
        strength_rating,
        parent: shape({
          value: text.describe('Name of the wider format'),
          index: integer.describe('Number of the wider format'),
        }).describe('The wider format it belongs to'),
      }),
    ).describe('Formats of the content'),
  ),
  interests: hideable(
    list(
      shape({
        interest: text.describe('What the creator is interested in'),
        strength_rating,
        reason,
        classification: shape({ topic, category, index: integer.describe('Number of the category') }).describe(
          'Where the interest belongs',
        ),
      }),
    ).describe('Interests'),
  ),
  biography: hideable(text.describe('Biography')),
  classifications: hideable(list(classification).describe('Topics the creator stands for')),
  primary_classification: hideable(classification.describe('The topic the creator mostly stands for')),
  real_first_name: sensitive(nullable(text).describe('Real first name')),
  real_last_name: sensitive(nullable(text).describe('Real last name')),
  aliases: hideable(list(text).describe('Other names')),
  birthday: sensitive(
    nullable(
      shape({
        birthday_day: integer.describe('Day of the month'),
        birthday_month: integer.describe('Month, 1 to 12'),
        birthday_year: integer.describe('Year'),
      }),
    ).describe('Birthday'),
  ),
  residence: sensitive(
    nullable(
      shape({
        city: text.describe('City'),
        state: text.describe('State or region'),
        country_code: text.describe('Country code'),
      }),
    ).describe('Place of residence'),
  ),
  nationality: hideable(nullable(text).describe('Nationality')),
  height_in_inches: hideable(nullable(integer).describe('Height in inches')),
  family: sensitive(family.describe('Family')),
  appearance: hideable(appearance.describe('Appearance')),
  platforms: hideable(
    list(
      shape({
        platform_name: text.describe('Name of the platform'),
        handle: text.describe('Handle there'),
        platform_url: text.describe('Address of the profile there'),
        primary_content_type: text.describe('What is mostly published there'),
      }),
    ).describe('Where else the creator is found'),
  ),
  background: hideable(
    shape({
      education: list(
        shape({
          institution: text.describe('Where'),
          degree: text.describe('With which degree'),
          field: text.describe('In which field'),
        }),
      ).describe('Education'),
      original_motivation: text.describe('Why the creator began'),
    }).describe('Education and motivation'),
  ),
  business: hideable(business.describe('Collaborations, income and ventures')),
}).describe('AI-enriched analysis of a creator');

export type CreatorAnalysis = z.output<typeof creatorAnalysisSchema>;

/** Schema of a line of an `analyses` import. */
export const analysisLineSchema = shape({
  platform_id: oneOf(PLATFORMS),
  profile_id: id,
  updated_at: nullable(dateTime),
  analysis: creatorAnalysisSchema,
});

export type AnalysisLine = z.output<typeof analysisLineSchema>;
