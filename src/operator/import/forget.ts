import {
  DOCUMENT_ENTITIES,
  SocialLinksEntity,
  SocialTargetEntity,
  type CreatorDocumentClass,
  type DocumentKind,
} from '../../features/analysis/analysis.entities.js';
import type { SocialLink } from '../../features/analysis/social-link.js';
import { ContentEntity } from '../../features/content/content.entity.js';
import { ForgottenProfileEntity } from '../../features/profiles/forgotten-profile.entity.js';
import { ProfileEntity } from '../../features/profiles/profile.entity.js';
import type { Database, Writer } from '../../database/database.js';
import { Audit } from '../audit/audit.js';
import { platformCode, platformFromCode, type Platform } from '../../model/platforms.js';
import { removeContent } from './content-store.js';
import { holdsOwnDay, removeHistory } from './history-store.js';
import { removeEnrichment } from './provenance-store.js';
import { Revisions } from './revisions.js';
import { removeObservations, observationScope } from './observations.js';
import { removeCollectTarget } from '../collect/remove-target.js';
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
  /** Days with an observation of the creator's statistics. */
  readonly history: number;
  /** Links of other creators to this one. */
  readonly links: number;
}

/** Removes what is stored about a creator. Imports reject lines about the creator from the first transaction on. Content is removed
 * in several transactions, so that other writers can proceed. After an interruption, run the command again. */
export async function forgetCreator(
  database: Database,
  platform: Platform,
  profileId: string,
  now: number,
  audit = new Audit(database, 'forget'),
): Promise<RemovedCounts> {
  const code = platformCode(platform);
  const { profiles, heldDays } = await database.write(async (writer) => {
    await writer.lockData();
    await writer.upsert(ForgottenProfileEntity, [{ platform: code, profile_id: profileId, forgotten_at: now }]);
    await removeObservations(writer, [{ scope: observationScope('profiles', code), id: profileId }]);
    await removeCollectTarget(writer, platform, profileId);
    // The progress of an interrupted reindex may contain the ID, so discard it.
    await removeProgress(writer, ...REINDEX_KINDS);
    await audit.add(writer, { platform, profile_id: profileId }, 'started');
    const held = Number(await holdsOwnDay(writer, code, profileId));
    const removed = await writer.remove(ProfileEntity, ['platform', 'id'], [{ platform: code, id: profileId }]);
    if (removed > 0) await new Revisions(writer).addDeleted('profiles', code, [profileId]);
    return { profiles: removed, heldDays: held };
  });
  let content = 0;
  for (let batch = BATCH_SIZE; batch === BATCH_SIZE; content += batch) {
    batch = await database.write(async (writer) => {
      await writer.lockData();
      return removeContentBatch(writer, code, profileId, new Revisions(writer));
    });
  }
  const removed = await database.write(async (writer) => {
    await writer.lockData();
    const revisions = new Revisions(writer);
    const links = await removeLinksTo(writer, code, profileId, revisions);
    const documents = await removeDocuments(writer, code, [profileId], revisions);
    const history = heldDays + (await removeHistory(writer, [{ platform: code, profile_id: profileId }]));
    const removed = { profiles, content, documents, history, links };
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

/** Removes the documents and links of creators of a platform. @returns the number of documents */
export async function removeDocuments(
  writer: Writer,
  platform: number,
  profileIds: readonly string[],
  revisions: Revisions,
): Promise<number> {
  let documents = 0;
  for (const [kind, entity] of Object.entries(DOCUMENT_ENTITIES) as [DocumentKind, CreatorDocumentClass][]) {
    const byId = writer.lookup({ entity, group: 'platform', id: 'profile_id', columns: [] });
    const owners = await writer.findMany(byId, platform, profileIds);
    await writer.remove(
      entity,
      OWNER,
      owners.map(({ profile_id }) => ({ platform, profile_id })),
    );
    await revisions.addDeleted(
      kind,
      platform,
      owners.map(({ profile_id }) => String(profile_id)),
    );
    documents += owners.length;
  }
  const owners = profileIds.map((profile_id) => ({ platform, profile_id }));
  await writer.remove(SocialTargetEntity, OWNER, owners);
  await removeEnrichment(writer, owners);
  return documents;
}

/** Removes one batch of a creator's content, under the writers' lock. @returns the number of items */
export async function removeContentBatch(
  writer: Writer,
  platform: number,
  profileId: string,
  revisions: Revisions,
  batchSize = BATCH_SIZE,
): Promise<number> {
  const ofProfile = writer.list({
    entity: ContentEntity,
    filters: ['platform', 'profile_id'],
    keys: ['created_at', 'content_id'],
    columns: ['platform', 'document'],
  });
  const items = await writer.page(ofProfile, { filters: [platform, profileId], limit: batchSize - 1 });
  await removeContent(writer, platform, items, revisions);
  await removeObservations(
    writer,
    items.map(({ content_id }) => ({ scope: observationScope('content', platform), id: content_id })),
  );
  return items.length;
}

/** Removes the links of other creators to a creator. @returns the number of creators that had one */
export async function removeLinksTo(
  writer: Writer,
  platform: number,
  profileId: string,
  revisions: Revisions,
): Promise<number> {
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
      if (others.length === 0) {
        await writer.remove(SocialLinksEntity, OWNER, [owner]);
        await revisions.addDeleted('socials', owner.platform, [String(owner.profile_id)]);
      } else {
        const revision = await revisions.assign('socials');
        await writer.upsert(SocialLinksEntity, [{ ...stored, document: JSON.stringify(others), ...revision }]);
      }
    }
  }
  const target = { target_platform: platform, target_id: profileId };
  await writer.remove(SocialTargetEntity, ['target_platform', 'target_id'], [target]);
  return owners.length;
}
