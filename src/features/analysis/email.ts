import * as z from 'zod';
import { PLATFORMS } from '../../model/platforms.js';
import { dateTime, id, nullable, oneOf, sensitive, shape, textWithRule } from '../../model/scalars.js';

/** Maximum length of an address that mail servers accept: 64 characters before the @ and 255 after it. */
const MAX_ADDRESS_CHARACTERS = 320;

/** Rejects values that are not an address, such as a name or a link. No pattern can check that an address receives mail. */
const ADDRESS = /^[^\s\p{Cc}@]+@[^\s\p{Cc}@]+$/u;

const address = textWithRule((value) =>
  value.length <= MAX_ADDRESS_CHARACTERS && ADDRESS.test(value) ? undefined : 'must be an e-mail address',
);

/** Schema of a creator's e-mail address. */
export const emailSchema = shape({
  email: sensitive(address.meta({ format: 'email', description: 'Publicly listed business address' })),
  updated_at: nullable(dateTime).describe('Time of the last confirmation of the address'),
}).describe("A creator's e-mail address");

export type Email = z.output<typeof emailSchema>;

/** Schema of a line of an `emails` import. */
export const emailLineSchema = shape({
  platform_id: oneOf(PLATFORMS),
  profile_id: id,
  ...emailSchema.shape,
});

export type EmailLine = z.output<typeof emailLineSchema>;
