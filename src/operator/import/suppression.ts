import type { Reader } from '../../database/database.js';
import { ForgottenProfileEntity } from '../../features/profiles/forgotten-profile.entity.js';
import type { Creator } from './record-store.js';

/** Reason for rejecting a record about a forgotten creator. */
export const FORGOTTEN_CREATOR = 'suppressed: about a forgotten creator';

const keyOf = ({ platform, profileId }: Creator): string => `${platform} ${profileId}`;

/** Returns whether any creator was forgotten. Under the writers' lock, which `forget` acquires as well, the result stays valid. */
export function hasForgottenCreators(reader: Reader): Promise<boolean> {
  const all = { entity: ForgottenProfileEntity, filters: [], keys: ['platform', 'profile_id'], columns: [] } as const;
  return reader.has(reader.list(all));
}

/** Returns a predicate for forgotten creators. Writers call this under the writers' lock, so that the result stays valid. */
export async function findForgotten(
  reader: Reader,
  creators: readonly Creator[],
): Promise<(creator: Creator) => boolean> {
  const byId = { entity: ForgottenProfileEntity, group: 'platform', id: 'profile_id', columns: [] } as const;
  const lookup = reader.lookup(byId);
  const forgotten = new Set<string>();
  for (const platform of new Set(creators.map((creator) => creator.platform))) {
    const ids = creators.filter((creator) => creator.platform === platform).map(({ profileId }) => profileId);
    for (const { profile_id } of await reader.findMany(lookup, platform, [...new Set(ids)])) {
      forgotten.add(keyOf({ platform, profileId: profile_id }));
    }
  }
  return (creator) => forgotten.has(keyOf(creator));
}
