import type { Database } from '../../database/database.js';
import { ApiKeyEntity } from '../../features/auth/api-key.entity.js';
import { DAY_MS } from '../../model/calendar-date.js';
import { hasAllowance } from '../keys/api-keys.js';
import { good, warning, type Check } from './check.js';

/** Time before the expiry of a key from which it is reported. */
const EXPIRES_SOON_MS = 14 * DAY_MS;

/** Keys named in a message. */
const MAX_NAMED = 5;

/** Counts the keys, and warns if none is valid or one expires soon. */
export async function checkKeys(database: Database, now: number): Promise<Check> {
  const keys = await database.dataSource.getRepository(ApiKeyEntity).find();
  const unrevoked = keys.filter(({ revoked_at }) => revoked_at === null);
  // TypeORM returns a 64-bit integer of SQLite as a text.
  const expiryOf = ({ expires_at }: ApiKeyEntity) => (expires_at === null ? Infinity : Number(expires_at));
  const valid = unrevoked.filter((key) => expiryOf(key) > now);
  if (valid.length === 0) {
    return warning(
      'keys',
      'there is no valid key, so every request is rejected: create one with "creator-data keys create --name NAME"',
    );
  }
  const counts = [
    `${valid.length} valid`,
    `${keys.length - unrevoked.length} revoked`,
    ...countIfAny(unrevoked.length - valid.length, 'expired'),
    ...countIfAny(valid.filter(hasAllowance).length, 'with a month allowance'),
    ...countIfAny(valid.filter(({ is_test }) => is_test !== 0).length, 'for tests'),
  ].join(', ');
  const soon = valid.filter((key) => expiryOf(key) <= now + EXPIRES_SOON_MS);
  if (soon.length === 0) return good('keys', counts);
  const named = soon
    .toSorted((a, b) => expiryOf(a) - expiryOf(b))
    .map((key) => `${key.id} on ${new Date(expiryOf(key)).toISOString().slice(0, 10)}`);
  const list = [...named.slice(0, MAX_NAMED), ...(named.length > MAX_NAMED ? ['…'] : [])].join(', ');
  return warning('keys', `${counts}; expiring within 14 days: ${list}: prolong with "creator-data keys expire"`);
}

const countIfAny = (count: number, what: string): string[] => (count === 0 ? [] : [`${count} ${what}`]);
