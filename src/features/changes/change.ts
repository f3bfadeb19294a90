import * as z from 'zod';
import { dateTime, id, oneOf, shape, list } from '../../model/scalars.js';
import { audienceAnalysisSchema } from '../analysis/audience-analysis.js';
import { creatorAnalysisSchema } from '../analysis/creator-analysis.js';
import { emailSchema } from '../analysis/email.js';
import { socialLinkSchema } from '../analysis/social-link.js';
import { contentSchema } from '../content/content.js';
import { gameDetailsSchema } from '../games/game.js';
import { profileSchema } from '../profiles/profile.js';

const members = {
  op: oneOf(['upsert', 'delete']).describe(
    '`upsert`: store the record in place of the one you have; `delete`: remove it',
  ),
  id: id.describe('ID of the record; the creator ID for kinds about a creator'),
  changed_at: z
    .nullable(dateTime)
    .describe('When the service stored the change; null for records from before it kept this'),
};

/** Schema of a change of creator data. */
export const changeSchema = shape({
  ...members,
  updated_at: z
    .nullable(dateTime)
    .optional()
    .describe('Date of the document, only for the kinds `analysis`, `audience` and `emails`'),
  record: z
    .union([
      profileSchema,
      contentSchema,
      creatorAnalysisSchema,
      audienceAnalysisSchema,
      list(socialLinkSchema),
      emailSchema,
      z.null(),
    ])
    .describe('What the look-up of the record has as `payload`, of the requested kind; null for `delete`'),
}).describe('A change of a record');

/** Schema of a change of a game. */
export const gameChangeSchema = shape({
  ...members,
  record: z.union([gameDetailsSchema, z.null()]).describe('The game; null for `delete`'),
}).describe('A change of a game');
