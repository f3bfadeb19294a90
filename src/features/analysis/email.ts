import { z } from 'zod';
import { PLATFORMS } from '../../model/platforms.js';
import { dateTime, id, nullable, oneOf, sensitive, shape, textThat } from '../../model/scalars.js';

/** The longest address mail servers handle, in characters: 64 before the @ and 255 after it. */
const MAX_ADDRESS_CHARACTERS = 320;

/** Catches values that are no address at all (a name, a link); whether mail arrives is not for a pattern to say. */
const ADDRESS = /^[^\s\p{Cc}@]+@[^\s\p{Cc}@]+$/u;

const address = textThat((value) =>
  value.length <= MAX_ADDRESS_CHARACTERS && ADDRESS.test(value) ? undefined : 'must be an e-mail address',
);

export const emailSchema = shape({
  email: sensitive(address.meta({ format: 'email', description: 'The publicly listed business address' })),
  updated_at: nullable(dateTime).describe('When the address was last confirmed'),
}).describe("A creator's e-mail address");

export type Email = z.output<typeof emailSchema>;

export const emailLineSchema = shape({
  platform_id: oneOf(PLATFORMS),
  profile_id: id,
  ...emailSchema.shape,
});

export type EmailLine = z.output<typeof emailLineSchema>;
