import * as z from 'zod';
import { CREATOR_DOCUMENTS, SocialTargetEntity } from '../../features/analysis/analysis.entities.js';
import { ContentEntity } from '../../features/content/content.entity.js';
import { HistoryEntity } from '../../features/history/history.entity.js';
import { ForgottenProfileEntity } from '../../features/profiles/forgotten-profile.entity.js';
import { ProfileEntity } from '../../features/profiles/profile.entity.js';
import type { Reader } from '../../database/database.js';
import type { Stored } from '../../database/statements.js';
import { platformCode, platformFromCode, PLATFORMS } from '../../model/platforms.js';
import { dateTime, id, oneOf, shape } from '../../model/scalars.js';
import { joinKey, NO_RELATED_ROWS, type Creator, type RecordStore } from './record-store.js';
import { findForgotten } from './suppression.js';

/** Schema of a line about a forgotten creator. */
export const forgottenLineSchema = shape({ platform_id: oneOf(PLATFORMS), profile_id: id, forgotten_at: dateTime });

export type ForgottenLine = z.output<typeof forgottenLineSchema>;

/** The row has no document of its own; that of its line counts for the size of a batch. */
type ForgottenRow = Stored<ForgottenProfileEntity> & { readonly document: string };

const describeConflict = ({ platform, profile_id }: ForgottenRow): string =>
  `records about this creator are stored: run "creator-data forget ${platformFromCode(platform)} ${profile_id}"`;

const creatorOf = ({ platform, profile_id }: ForgottenRow): Creator => ({ platform, profileId: profile_id });

/** Store of forgotten creators. An import deletes nothing, so it rejects creators with stored records: see `forget`. */
export const forgottenStore: RecordStore<ForgottenLine, ForgottenRow, never> = {
  prepare: (line) => ({
    row: {
      platform: platformCode(line.platform_id),
      profile_id: line.profile_id,
      forgotten_at: Date.parse(line.forgotten_at),
      document: JSON.stringify(line),
    },
    related: NO_RELATED_ROWS,
  }),
  identityOf: ({ platform, profile_id }) => joinKey(platform, profile_id),
  creatorsOf: () => [],
  findProblems: async (reader, rows) => {
    const isForgotten = await findForgotten(reader, rows.map(creatorOf));
    const added = rows.filter((row) => !isForgotten(creatorOf(row)));
    const isKnown = await findCreatorsWithRecords(reader, added.map(creatorOf));
    return rows.map((row) => (isForgotten(creatorOf(row)) || !isKnown(creatorOf(row)) ? null : describeConflict(row)));
  },
  write: (writer, records) =>
    writer.upsert(
      ForgottenProfileEntity,
      records.map(({ row: { platform, profile_id, forgotten_at } }) => ({ platform, profile_id, forgotten_at })),
    ),
};

const keyOf = ({ platform, profileId }: Creator): string => joinKey(platform, profileId);

/** Returns a predicate for creators about whom a record or a link is stored. */
async function findCreatorsWithRecords(
  reader: Reader,
  creators: readonly Creator[],
): Promise<(creator: Creator) => boolean> {
  const known = new Set<string>();
  const add = (platform: number, profileId: string) => known.add(keyOf({ platform, profileId }));
  const profiles = reader.lookup({ entity: ProfileEntity, group: 'platform', id: 'id', columns: [] });
  const targets = { entity: SocialTargetEntity, group: 'target_platform', id: 'target_id', columns: [] } as const;
  const links = reader.lookup(targets);
  const documents = CREATOR_DOCUMENTS.map((entity) =>
    reader.lookup({ entity, group: 'platform', id: 'profile_id', columns: [] }),
  );
  for (const platform of new Set(creators.map((creator) => creator.platform))) {
    const ids = creators.filter((creator) => creator.platform === platform).map(({ profileId }) => profileId);
    for (const row of await reader.findMany(profiles, platform, ids)) add(platform, row.id);
    for (const row of await reader.findMany(links, platform, ids)) add(platform, row.target_id);
    for (const lookup of documents) {
      for (const row of await reader.findMany(lookup, platform, ids)) add(platform, row.profile_id);
    }
  }
  // One read per creator: a look-up by creator would return a row for each of thousands of items or days.
  const filters = ['platform', 'profile_id'] as const;
  const content = reader.list({ entity: ContentEntity, filters, keys: ['created_at', 'content_id'], columns: [] });
  const history = reader.list({ entity: HistoryEntity, filters, keys: ['day'], columns: [] });
  for (const creator of creators) {
    if (known.has(keyOf(creator))) continue;
    const scope = [creator.platform, creator.profileId];
    if ((await reader.has(content, scope)) || (await reader.has(history, scope))) known.add(keyOf(creator));
  }
  return (creator) => known.has(keyOf(creator));
}
