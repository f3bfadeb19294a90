import type { Writer } from '../../database/database.js';
import type { Creator } from './record-stores.js';

const keyOf = ({ platform, profileId }: Creator): string => `${platform} ${profileId}`;

/** Whether anybody was: it holds until the end of the transaction, as those who forget take the same lock. */
export async function isAnybodyForgotten(writer: Writer): Promise<boolean> {
  return (await writer.all('SELECT 1 FROM forgotten_profiles LIMIT 1', [])).length > 0;
}

/**
 * Which of the creators were forgotten. Asked inside the transaction that writes about them, under the lock of all
 * writers, so that none who is being forgotten slips in.
 */
export async function forgottenAmong(
  writer: Writer,
  creators: readonly Creator[],
): Promise<(creator: Creator) => boolean> {
  const forgotten = new Set<string>();
  for (const platform of new Set(creators.map((creator) => creator.platform))) {
    const ids = creators.filter((creator) => creator.platform === platform).map(({ profileId }) => profileId);
    const lookup = {
      table: 'forgotten_profiles',
      group: 'platform',
      id: 'profile_id',
      index: 'PRIMARY',
      columns: [],
    };
    for (const [profileId] of await writer.findMany(lookup, platform, [...new Set(ids)])) {
      forgotten.add(keyOf({ platform, profileId: String(profileId) }));
    }
  }
  return (creator) => forgotten.has(keyOf(creator));
}
