import { CREATOR_DOCUMENTS, SocialLinksEntity, SocialTargetEntity } from '../../features/analysis/analysis.entities.js';
import type { SocialLink } from '../../features/analysis/social-link.js';
import { ContentEntity } from '../../features/content/content.entity.js';
import { ForgottenProfileEntity } from '../../features/profiles/forgotten-profile.entity.js';
import { ProfileEntity } from '../../features/profiles/profile.entity.js';
import type { Database, Writer } from '../../database/database.js';
import { Audit } from '../audit/audit.js';
import { platformCode, platformFromCode, type Platform } from '../../model/platforms.js';
import { removeContent } from './content-store.js';
import { removeObservations, observationScope } from './observations.js';
import { removeProgress } from '../reindex/reindex-progress.js';
import { REINDEX_KINDS } from '../reindex/reindex-sources.js';

/** Content items per transaction, to bound memory. */
const BATCH_SIZE = 1000;

const OWNER = ['platform', 'profile_id'] as const;

/** Numbers of records that `forget` removes. */
export interface RemovedCounts {
  readonly profiles: number;
  readonly content: number;
  readonly documents: number;
  /** Links of other creators to this one. */
  readonly links: number;
}

/** Removes a creator permanently. Imports reject lines about the creator from the first transaction on. Content is removed
 * in several transactions, so that other writers can proceed. After an interruption, run the command again. */
export async function forgetCreator(
  database: Database,
  platform: Platform,
  profileId: string,
  now: number,
  audit = new Audit(database, 'forget'),
): Promise<RemovedCounts> {
  const code = platformCode(platform);
  const profiles = await database.write(async (writer) => {
    await writer.lockData();
    await writer.upsert(ForgottenProfileEntity, [{ platform: code, profile_id: profileId, forgotten_at: now }]);
    await removeObservations(writer, [{ scope: observationScope('profiles', code), id: profileId }]);
    // The progress of an interrupted reindex may contain the ID, so discard it.
    await removeProgress(writer, ...REINDEX_KINDS);
    await audit.add(writer, { platform, profile_id: profileId }, 'started');
    return writer.remove(ProfileEntity, ['platform', 'id'], [{ platform: code, id: profileId }]);
  });
  let content = 0;
  for (let batch = BATCH_SIZE; batch === BATCH_SIZE; content += batch) {
    batch = await database.write((writer) => removeContentBatch(writer, code, profileId));
  }
  const removed = await database.write(async (writer) => {
    await writer.lockData();
    const links = await removeLinksTo(writer, code, profileId);
    const owner = { platform: code, profile_id: profileId };
    let documents = 0;
    for (const entity of CREATOR_DOCUMENTS) documents += await writer.remove(entity, OWNER, [owner]);
    await writer.remove(SocialTargetEntity, OWNER, [owner]);
    const removed = { profiles, content, documents, links };
    await audit.add(writer, { platform, profile_id: profileId, ...removed });
    return removed;
  });
  await database.eraseDeleted();
  return removed;
}

/** Allows a creator to be imported again. @returns false if the creator was not forgotten */
export async function undoForget(
  database: Database,
  platform: Platform,
  profileId: string,
  audit = new Audit(database, 'forget'),
): Promise<boolean> {
  const owner = { platform: platformCode(platform), profile_id: profileId };
  return database.write(async (writer) => {
    await writer.lockData();
    const wasForgotten = (await writer.remove(ForgottenProfileEntity, OWNER, [owner])) > 0;
    if (wasForgotten) await audit.add(writer, { platform, profile_id: profileId, undo: true });
    return wasForgotten;
  });
}

/** Removes one batch of a creator's content. @returns the number of items */
async function removeContentBatch(writer: Writer, platform: number, profileId: string): Promise<number> {
  await writer.lockData();
  const ofProfile = writer.list({
    entity: ContentEntity,
    filters: ['platform', 'profile_id'],
    keys: ['created_at', 'content_id'],
    columns: ['platform', 'document'],
  });
  const items = await writer.page(ofProfile, { filters: [platform, profileId], limit: BATCH_SIZE - 1 });
  await removeContent(writer, items);
  await removeObservations(
    writer,
    items.map(({ content_id }) => ({ scope: observationScope('content', platform), id: content_id })),
  );
  return items.length;
}

/** Removes the links of other creators to a creator. @returns the number of creators that had one */
export async function removeLinksTo(writer: Writer, platform: number, profileId: string): Promise<number> {
  const byTarget = writer.lookup({
    entity: SocialTargetEntity,
    group: 'target_platform',
    id: 'target_id',
    columns: OWNER,
  });
  const links = writer.lookup({
    entity: SocialLinksEntity,
    group: 'platform',
    id: 'profile_id',
    columns: ['platform', 'updated_at', 'document'],
  });
  const owners = await writer.findMany(byTarget, platform, [profileId]);
  for (const owner of owners) {
    for (const stored of await writer.findMany(links, owner.platform, [owner.profile_id])) {
      const others = (JSON.parse(String(stored.document)) as SocialLink[]).filter(
        (link) => link.id !== profileId || link.platform_id !== platformFromCode(platform),
      );
      await writer.upsert(SocialLinksEntity, [{ ...stored, document: JSON.stringify(others) }]);
    }
  }
  const target = { target_platform: platform, target_id: profileId };
  await writer.remove(SocialTargetEntity, ['target_platform', 'target_id'], [target]);
  return owners.length;
}
