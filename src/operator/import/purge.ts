import type { Database, Writer } from '../../database/database.js';
import { ObservationEntity } from '../../database/observation.entity.js';
import { SocialLinksEntity, SocialTargetEntity } from '../../features/analysis/analysis.entities.js';
import { ContentEntity } from '../../features/content/content.entity.js';
import { ProfileEntity } from '../../features/profiles/profile.entity.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import { removeContent } from './content-store.js';
import { removeLinksTo } from './forget.js';
import { removeObservations, observationScope } from './observations.js';

/** Records per transaction. */
const BATCH_SIZE = 500;

/** Kinds that are purged. Games are not about a creator, so they are kept. */
const PURGED_KINDS = ['profiles', 'content'] as const;

type PurgedKind = (typeof PURGED_KINDS)[number];

/** Numbers of records that were purged, or would be. */
export type PurgedCounts = Readonly<Record<PurgedKind, number>>;

/** Removes or counts records that were last observed before a time. Records that were never ingested, or imported since, have no
 * observation, and are kept. */
export async function purge(
  database: Database,
  platforms: readonly Platform[],
  before: number,
  isDryRun: boolean,
): Promise<PurgedCounts> {
  const purged = { profiles: 0, content: 0 };
  for (const platform of platforms) {
    for (const kind of PURGED_KINDS) {
      purged[kind] += isDryRun
        ? await countStale(database, kind, platform, before)
        : await removeStale(database, kind, platform, before);
    }
  }
  if (!isDryRun) await database.eraseDeleted();
  return purged;
}

const BY_OBSERVATION_TIME = {
  entity: ObservationEntity,
  filters: ['scope'],
  keys: ['observed_at', 'id'],
  columns: ['scope'],
} as const;

async function countStale(database: Database, kind: PurgedKind, platform: Platform, before: number): Promise<number> {
  const filters = [observationScope(kind, platform)];
  let count = 0;
  for await (const rows of database.pages(database.list(BY_OBSERVATION_TIME), {
    filters,
    to: before - 1,
    limit: BATCH_SIZE,
  })) {
    count += Math.min(rows.length, BATCH_SIZE);
  }
  return count;
}

async function removeStale(database: Database, kind: PurgedKind, platform: Platform, before: number): Promise<number> {
  let count = 0;
  for (let removed = BATCH_SIZE; removed === BATCH_SIZE; count += removed) {
    removed = await database.write(async (writer) => {
      await writer.lockData();
      const request = { filters: [observationScope(kind, platform)], to: before - 1, limit: BATCH_SIZE - 1 };
      const stale = await writer.page(writer.list(BY_OBSERVATION_TIME), request);
      if (stale.length === 0) return 0;
      const ids = stale.map(({ id }) => id);
      await (kind === 'profiles' ? removeProfiles(writer, platform, ids) : removeContentItems(writer, platform, ids));
      await removeObservations(writer, stale);
      return stale.length;
    });
  }
  return count;
}

/** Removes profiles, and the links from and to them, which repeat handles and follower counts. */
async function removeProfiles(writer: Writer, platform: Platform, ids: readonly string[]): Promise<void> {
  const code = platformCode(platform);
  const owners = ids.map((id) => ({ platform: code, profile_id: id }));
  await writer.remove(
    ProfileEntity,
    ['platform', 'id'],
    ids.map((id) => ({ platform: code, id })),
  );
  const owner = ['platform', 'profile_id'] as const;
  await writer.remove(SocialLinksEntity, owner, owners);
  await writer.remove(SocialTargetEntity, owner, owners);
  for (const id of ids) await removeLinksTo(writer, code, id);
}

async function removeContentItems(writer: Writer, platform: Platform, ids: readonly string[]): Promise<void> {
  const columns = ['platform', 'document'] as const;
  const byId = writer.lookup({ entity: ContentEntity, group: 'platform', id: 'content_id', columns });
  await removeContent(writer, await writer.findMany(byId, platformCode(platform), ids));
}
