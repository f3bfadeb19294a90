import type { Database, Writer } from '../../database/database.js';
import { ObservationEntity } from '../../database/observation.entity.js';
import { ContentEntity } from '../../features/content/content.entity.js';
import { ProfileEntity } from '../../features/profiles/profile.entity.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import { removeContent } from './content-store.js';
import { removeHistory } from './history-store.js';
import { removeContentBatch, removeDocuments, removeLinksTo } from './forget.js';
import { removeObservations, observationScope } from './observations.js';
import { Revisions } from './revisions.js';

/** Profiles, or content items beside them, per transaction. */
const BATCH_SIZE = 500;

/** Maximum content items of profiles per transaction, to bound memory. */
const CONTENT_BATCH = 1000;

/** Numbers of records that were purged, or would be. Games are not about a creator, so they are kept. */
export interface PurgedCounts {
  readonly profiles: number;
  readonly content: number;
}

/** Removes or counts records that were last observed before a time. A profile is removed with all dependent records. Records that
 * were never ingested, or imported since, have no observation; they are kept unless their profile is removed. */
export async function purge(
  database: Database,
  platforms: readonly Platform[],
  before: number,
  isDryRun: boolean,
): Promise<PurgedCounts> {
  let [profiles, content] = [0, 0];
  for (const platform of platforms) {
    const count = isDryRun ? countStale : removeStale;
    const purged = await count(database, platform, before);
    profiles += purged.profiles;
    content += purged.content;
  }
  if (!isDryRun) await database.eraseDeleted();
  return { profiles, content };
}

const BY_OBSERVATION_TIME = {
  entity: ObservationEntity,
  filters: ['scope'],
  keys: ['observed_at', 'id'],
  columns: ['scope'],
} as const;

/** Counts what `removeStale` would remove. */
async function countStale(database: Database, platform: Platform, before: number): Promise<PurgedCounts> {
  let [profiles, content] = [0, 0];
  for await (const ids of stalePages(database, 'profiles', platform, before)) {
    profiles += ids.length;
    const items = database.dataSource.getRepository(ContentEntity);
    for (const profile_id of ids) content += await items.countBy({ platform: platformCode(platform), profile_id });
  }
  for await (const ids of stalePages(database, 'content', platform, before)) {
    content += ids.length - (await countOfStaleProfiles(database, platform, ids, before));
  }
  return { profiles, content };
}

async function* stalePages(
  database: Database,
  kind: 'profiles' | 'content',
  platform: Platform,
  before: number,
): AsyncGenerator<string[]> {
  const request = { filters: [observationScope(kind, platform)], to: before - 1, limit: BATCH_SIZE };
  for await (const rows of database.pages(database.list(BY_OBSERVATION_TIME), request)) {
    yield rows.map(({ id }) => String(id));
  }
}

/** Counts the items whose profile is removed, too. */
async function countOfStaleProfiles(
  database: Database,
  platform: Platform,
  contentIds: readonly string[],
  before: number,
): Promise<number> {
  const byId = database.lookup({
    entity: ContentEntity,
    group: 'platform',
    id: 'content_id',
    columns: ['profile_id'],
  });
  const items = await database.findMany(byId, platformCode(platform), contentIds);
  const owners = items.flatMap(({ profile_id }) => (profile_id === null ? [] : [String(profile_id)]));
  const observations = database.lookup({
    entity: ObservationEntity,
    group: 'scope',
    id: 'id',
    columns: ['observed_at'],
  });
  const scope = observationScope('profiles', platform);
  const observed = await database.findMany(observations, scope, [...new Set(owners)]);
  const stale = new Set(observed.filter(({ observed_at }) => observed_at < before).map(({ id }) => String(id)));
  return owners.filter((owner) => stale.has(owner)).length;
}

async function removeStale(database: Database, platform: Platform, before: number): Promise<PurgedCounts> {
  let [profiles, content] = [0, 0];
  for (let isComplete = false; !isComplete;) {
    const removed = await database.write(async (writer) => {
      await writer.lockData();
      return removeProfileBatch(writer, platform, before);
    });
    profiles += removed.profiles;
    content += removed.content;
    isComplete = removed.isComplete;
  }
  for (let removed = BATCH_SIZE; removed === BATCH_SIZE; content += removed) {
    removed = await database.write(async (writer) => {
      await writer.lockData();
      return removeContentItems(writer, platform, before);
    });
  }
  return { profiles, content };
}

const findStale = (writer: Writer, kind: 'profiles' | 'content', platform: Platform, before: number) =>
  writer.page(writer.list(BY_OBSERVATION_TIME), {
    filters: [observationScope(kind, platform)],
    to: before - 1,
    limit: BATCH_SIZE - 1,
  });

/** Removes a batch of profiles with all dependent records. If its content exceeds one transaction, a profile is removed by the
 * transaction that removes its last item. */
async function removeProfileBatch(
  writer: Writer,
  platform: Platform,
  before: number,
): Promise<PurgedCounts & { readonly isComplete: boolean }> {
  const code = platformCode(platform);
  const revisions = new Revisions(writer);
  const stale = await findStale(writer, 'profiles', platform, before);
  const ids: string[] = [];
  let content = 0;
  for (const { id } of stale) {
    content += await removeContentBatch(writer, code, String(id), revisions, CONTENT_BATCH - content);
    if (content === CONTENT_BATCH) break;
    ids.push(String(id));
  }
  await removeProfiles(writer, code, ids, revisions);
  await removeObservations(
    writer,
    ids.map((id) => ({ scope: observationScope('profiles', platform), id })),
  );
  return { profiles: ids.length, content, isComplete: ids.length === stale.length && stale.length < BATCH_SIZE };
}

/** Removes profiles, what is stored about them, and the links to them, which repeat handles and follower counts. */
async function removeProfiles(
  writer: Writer,
  platform: number,
  ids: readonly string[],
  revisions: Revisions,
): Promise<void> {
  const byId = writer.lookup({ entity: ProfileEntity, group: 'platform', id: 'id', columns: [] });
  const stored = (await writer.findMany(byId, platform, ids)).map(({ id }) => String(id));
  await writer.remove(
    ProfileEntity,
    ['platform', 'id'],
    stored.map((id) => ({ platform, id })),
  );
  await revisions.addDeleted('profiles', platform, stored);
  await removeDocuments(writer, platform, ids, revisions);
  await removeHistory(
    writer,
    ids.map((profile_id) => ({ platform, profile_id })),
  );
  for (const id of ids) await removeLinksTo(writer, platform, id, revisions);
}

/** Removes a batch of content items whose profile is not removed. @returns the number of their observations */
async function removeContentItems(writer: Writer, platform: Platform, before: number): Promise<number> {
  const code = platformCode(platform);
  const stale = await findStale(writer, 'content', platform, before);
  const columns = ['platform', 'document'] as const;
  const byId = writer.lookup({ entity: ContentEntity, group: 'platform', id: 'content_id', columns });
  const ids = stale.map(({ id }) => String(id));
  await removeContent(writer, code, await writer.findMany(byId, code, ids), new Revisions(writer));
  await removeObservations(writer, stale);
  return stale.length;
}
