import { fold } from '../../features/games/search-words.mjs';
import { customerOf, type ApiKeys } from './api-keys.js';

/** Returns a name without case, accents, spaces and punctuation. */
const bareName = (name: string): string => fold(name).replace(/[^\p{L}\p{N}]/gu, '');

/** Returns a line about each other customer of almost the same name, which may be a typo: their bills are separate. */
export async function describeSimilarCustomers(keys: ApiKeys, customer: string): Promise<string[]> {
  const others = new Set((await keys.list()).filter(({ revoked_at }) => revoked_at === null).map(customerOf));
  others.delete(customer);
  const bare = bareName(customer);
  return [...others]
    .filter((other) => bare !== '' && bareName(other) === bare)
    .map((other) => `Note: there is also the customer "${other}", with a separate bill.`);
}
