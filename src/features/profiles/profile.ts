import * as z from 'zod';
import { PLATFORMS } from '../../model/platforms.js';
import {
  objectWithDefaults,
  boolean,
  dateTime,
  hideable,
  id,
  integer,
  lookupProblem,
  nullable,
  oneOf,
  shape,
  text,
  textWithRule,
} from '../../model/scalars.js';

/** Schema of a handle. It is a look-up key, so it is limited like an ID. */
const handle = textWithRule(lookupProblem);

/** Schema of a creator on one platform, both of an answer and of a line of a `profiles` import. */
export const profileSchema = shape({
  platform_id: oneOf(PLATFORMS).describe('The platform of the profile'),
  id: id.describe('ID of the creator on the platform'),
  name: nullable(handle).describe('Handle'),
  display_name: hideable(nullable(text).describe('Displayed name')),
  url: hideable(nullable(text).describe('URL of the profile')),
  description: hideable(nullable(text).describe("The creator's own description")),
  profile_image: hideable(nullable(text).describe('URL of the profile image')),
  banner_image: hideable(nullable(text).describe('URL of the banner image')),
  language: hideable(nullable(text).describe('Language code')),
  statistics: objectWithDefaults(
    shape({
      followers: nullable(integer).describe('Followers; on video_platform the free channel subscribers'),
      views_estimated: nullable(integer).describe('Estimated number of all views'),
    }),
  ).describe('Statistics of the profile'),
  account_type: hideable(nullable(text).describe('Status on the platform, for example partner or affiliate')),
  is_mature: hideable(nullable(boolean).describe('Whether the profile is marked as for adults only')),
  updated_at: nullable(dateTime).describe('Time of the last update of this record'),
  last_active_at: nullable(dateTime).describe("Time of the creator's last known activity"),
}).describe('A content creator on one platform');

export type Profile = z.output<typeof profileSchema>;

/** Schema of the answer for one handle. */
export const handleMappingSchema = shape({
  handle: text.describe('Requested handle, without a leading @'),
  id: id.describe('ID of the creator on the platform'),
}).describe('A handle and the ID of the creator it belongs to');

export type HandleMapping = z.output<typeof handleMappingSchema>;
