import type { Writer } from '../../database/database.js';
import { ForgottenProfileEntity } from '../../features/profiles/forgotten-profile.entity.js';
import type { Creator } from './record-store.js';

const keyOf = ({ platform, profileId }: Creator): string => `${platform} ${profileId}`;

/** Whether anybody was: it holds until the end of the transaction, as those who forget take the same lock. */
export function isAnybodyForgotten(writer: Writer): Promise<boolean> {
  const all = { entity: ForgottenProfileEntity, filters: [], keys: ['platform', 'profile_id'], columns: [] } as const;
  return writer.has(writer.list(all));
}

/** Which creators were forgotten. Ask inside the writing transaction, under the writers' lock: no one slips in. */
export async function forgottenAmong(
  writer: Writer,
  creators: readonly Creator[],
): Promise<(creator: Creator) => boolean> {
  const byId = { entity: ForgottenProfileEntity, group: 'platform', id: 'profile_id', columns: [] } as const;
  const lookup = writer.lookup(byId);
  const forgotten = new Set<string>();
  for (const platform of new Set(creators.map((creator) => creator.platform))) {
    const ids = creators.filter((creator) => creator.platform === platform).map(({ profileId }) => profileId);
    for (const { profile_id } of await writer.findMany(lookup, platform, [...new Set(ids)])) {
      forgotten.add(keyOf({ platform, profileId: profile_id }));
    }
  }
  return (creator) => forgotten.has(keyOf(creator));
}
