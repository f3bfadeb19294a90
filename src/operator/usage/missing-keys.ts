import { countOf } from '../../model/counts.js';
import type { SummaryLine } from './usage-summary.js';

/** Keys named in a message. */
const MAX_NAMED = 5;

/**
 * Returns the IDs of keys that have usage but are not stored. Keys are never deleted, so such a key was lost, for example because
 * usage and keys were restored from different backups.
 * @param keyIds of usage; empty: no valid key
 */
export const findMissingKeys = (keyIds: Iterable<string>, stored: ReadonlySet<string>): string[] =>
  [...new Set(keyIds)].filter((id) => id !== '' && !stored.has(id)).toSorted();

/** Returns the key ID of each line. @param lines grouped by key first */
export const keyIdsOf = (lines: readonly SummaryLine[]): string[] => lines.map(({ group: [id = ''] }) => id);

/** Describes missing keys: how many, and the first IDs. @param ids at least one */
export function describeMissingKeys(ids: readonly string[]): string {
  const named = [...ids.slice(0, MAX_NAMED), ...(ids.length > MAX_NAMED ? ['…'] : [])].join(', ');
  const subject = countOf(ids.length, 'key with usage is', 'keys with usage are');
  return `${subject} not stored (${named})`;
}
