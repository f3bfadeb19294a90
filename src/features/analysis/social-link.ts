import * as z from 'zod';
import { PLATFORMS } from '../../model/platforms.js';
import { id, integer, list, nullable, oneOf, shape, text } from '../../model/scalars.js';

/** Schema of a link to the same creator on another platform. */
export const socialLinkSchema = shape({
  id: id.describe('ID of the creator on the other platform'),
  name: nullable(text).describe('Handle on the other platform'),
  platform_id: oneOf(PLATFORMS).describe('The other platform'),
  followers: nullable(integer).describe('Followers on the other platform'),
}).describe("The same creator's profile on another platform");

export type SocialLink = z.output<typeof socialLinkSchema>;

/** Schema of a line of a `socials` import: all links of a creator. An empty list means that the creator has none. */
export const socialsLineSchema = shape({
  platform_id: oneOf(PLATFORMS),
  profile_id: id,
  links: list(socialLinkSchema),
});

export type SocialsLine = z.output<typeof socialsLineSchema>;
