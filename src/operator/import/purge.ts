import type { Database, Writer } from '../../database/database.js';
import { ObservationEntity } from '../../database/observation.entity.js';
import { SocialLinksEntity, SocialTargetEntity } from '../../features/analysis/analysis.entities.js';
import { ContentEntity } from '../../features/content/content.entity.js';
import { ProfileEntity } from '../../features/profiles/profile.entity.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import { removeContent } from './content-store.js';
import { removeLinksTo } from './forget.js';
import { removeObservations, scopeOf } from './observations.js';

/** Records of one transaction. */
const BATCH = 500;

/** What is purged. Games are nobody's data, and stay. */
const PURGED_KINDS = ['profiles', 'content'] as const;

type PurgedKind = (typeof PURGED_KINDS)[number];

/** Records that were purged, or would be. */
export type Purged = Readonly<Record<PurgedKind, number>>;

/** Removes what was not observed since, or counts it; what was imported was never observed, and stays. */
export async function purge(
  database: Database,
  platforms: readonly Platform[],
  before: number,
  isDryRun: boolean,
): Promise<Purged> {
  const purged = { profiles: 0, content: 0 };
  for (const platform of platforms) {
    for (const kind of PURGED_KINDS) {
      purged[kind] += isDryRun
        ? await countOld(database, kind, platform, before)
        : await removeOld(database, kind, platform, before);
    }
  }
  if (!isDryRun) await database.eraseDeleted();
  return purged;
}

const BY_TIME = {
  entity: ObservationEntity,
  filters: ['scope'],
  keys: ['observed_at', 'id'],
  columns: ['scope'],
} as const;

async function countOld(database: Database, kind: PurgedKind, platform: Platform, before: number): Promise<number> {
  const filters = [scopeOf(kind, platform)];
  let count = 0;
  for await (const rows of database.pages(database.list(BY_TIME), { filters, to: before - 1, limit: BATCH })) {
    count += Math.min(rows.length, BATCH);
  }
  return count;
}

async function removeOld(database: Database, kind: PurgedKind, platform: Platform, before: number): Promise<number> {
  let count = 0;
  for (let removed = BATCH; removed === BATCH; count += removed) {
    removed = await database.write(async (writer) => {
      await writer.lockData();
      const request = { filters: [scopeOf(kind, platform)], to: before - 1, limit: BATCH - 1 };
      const old = await writer.page(writer.list(BY_TIME), request);
      if (old.length === 0) return 0;
      const ids = old.map(({ id }) => id);
      await (kind === 'profiles' ? removeProfiles(writer, platform, ids) : removeItems(writer, platform, ids));
      await removeObservations(writer, old);
      return old.length;
    });
  }
  return count;
}

/** With the links from and to them: these repeat handles and followers. */
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

async function removeItems(writer: Writer, platform: Platform, ids: readonly string[]): Promise<void> {
  const columns = ['platform', 'document'] as const;
  const byId = writer.lookup({ entity: ContentEntity, group: 'platform', id: 'content_id', columns });
  await removeContent(writer, await writer.findMany(byId, platformCode(platform), ids));
}
