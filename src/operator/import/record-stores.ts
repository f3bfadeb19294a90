import {
  AudienceAnalysisEntity,
  CreatorAnalysisEntity,
  EmailEntity,
  SocialLinksEntity,
  SocialTargetEntity,
  type CreatorDocumentClass,
  type CreatorDocumentEntity,
} from '../../features/analysis/analysis.entities.js';
import type { SocialsLine } from '../../features/analysis/social-link.js';
import { sortableInstant } from '../../database/columns.js';
import type { Stored } from '../../database/statements.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import { ProfileEntity, deriveProfileRow } from '../../features/profiles/profile.entity.js';
import type { Profile } from '../../features/profiles/profile.js';
import { contentStore } from './content-store.js';
import { gamesStore } from './games-store.js';
import { observationScope } from './observations.js';
import type { ImportKind, ImportRecords } from './parse-line.js';
import { NO_RELATED_ROWS, rowsOf, joinKey, type Creator, type RecordStore } from './record-store.js';

type CreatorDocument = Stored<CreatorDocumentEntity>;

interface DocumentOwner {
  readonly platform_id: Platform;
  readonly profile_id: string;
}

const profileStore: RecordStore<Profile, Stored<ProfileEntity>, never> = {
  prepare: (profile, document = JSON.stringify(profile)) => ({
    row: { ...deriveProfileRow(profile), document },
    related: NO_RELATED_ROWS,
  }),
  identityOf: ({ platform, id }) => joinKey(platform, id),
  sortKeyOf: ({ platform, id }) => joinKey(platform, id),
  creatorsOf: ({ row }) => [{ platform: row.platform, profileId: row.id }],
  observationOf: ({ platform, id }) => ({ scope: observationScope('profiles', platform), id }),
  write: (writer, records) => writer.upsert(ProfileEntity, rowsOf(records)),
};

const ownerKey = ({ platform, profile_id }: CreatorDocument): string => joinKey(platform, profile_id);
const ownerOf = ({ platform, profile_id }: CreatorDocument): Creator => ({ platform, profileId: profile_id });

/** Creates the row of a document about a creator. */
const creatorDocument = (line: DocumentOwner, updatedAt: string | null, document: unknown): CreatorDocument => ({
  platform: platformCode(line.platform_id),
  profile_id: line.profile_id,
  updated_at: sortableInstant(updatedAt),
  document: JSON.stringify(document),
});

/** Creates the store of a kind that has one document per creator. */
function creatorDocumentStore<T>(
  entity: CreatorDocumentClass,
  rowOf: (line: T) => CreatorDocument,
): RecordStore<T, CreatorDocument, never> {
  return {
    prepare: (line) => ({ row: rowOf(line), related: NO_RELATED_ROWS }),
    identityOf: ownerKey,
    sortKeyOf: ownerKey,
    creatorsOf: ({ row }) => [ownerOf(row)],
    write: (writer, records) => writer.upsert(entity, rowsOf(records)),
  };
}

const socialsStore: RecordStore<SocialsLine, CreatorDocument, Stored<SocialTargetEntity>> = {
  prepare: (line) => {
    const row = creatorDocument(line, null, line.links);
    const { platform, profile_id } = row;
    const related = line.links.map((link) => ({
      target_platform: platformCode(link.platform_id),
      target_id: link.id,
      platform,
      profile_id,
    }));
    return { row, related };
  },
  identityOf: ownerKey,
  sortKeyOf: ownerKey,
  creatorsOf: ({ row, related }) => [
    ownerOf(row),
    ...related.map(({ target_platform, target_id }) => ({ platform: target_platform, profileId: target_id })),
  ],
  write: (writer, records) => {
    const owners = rowsOf(records);
    return Promise.all([
      writer.upsert(SocialLinksEntity, owners),
      writer.remove(SocialTargetEntity, ['platform', 'profile_id'], owners),
      writer.upsert(
        SocialTargetEntity,
        records.flatMap(({ related }) => related),
      ),
    ]);
  },
};

/** Record stores by kind. */
export const RECORD_STORES: { readonly [K in ImportKind]: RecordStore<ImportRecords[K]> } = {
  profiles: profileStore,
  content: contentStore,
  games: gamesStore,
  analysis: creatorDocumentStore(CreatorAnalysisEntity, (line) =>
    creatorDocument(line, line.updated_at, line.analysis),
  ),
  audience: creatorDocumentStore(AudienceAnalysisEntity, (line) =>
    creatorDocument(line, line.last_updated_at, line.audience),
  ),
  socials: socialsStore,
  emails: creatorDocumentStore(EmailEntity, (line) => {
    const { email, updated_at } = line;
    return creatorDocument(line, updated_at, { email, updated_at });
  }),
};
