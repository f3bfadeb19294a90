import {
  analysisSourceCode,
  AudienceAnalysisEntity,
  CreatorAnalysisEntity,
  EmailEntity,
  SocialLinksEntity,
  SocialTargetEntity,
  type CreatorDocumentClass,
  type CreatorDocumentEntity,
} from '../../features/analysis/analysis.entities.js';
import type { AnalysisLine } from '../../features/analysis/creator-analysis.js';
import type { SocialsLine } from '../../features/analysis/social-link.js';
import { sortableInstant } from '../../database/columns.js';
import type { Writer } from '../../database/database.js';
import type { Stored } from '../../database/statements.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import { NOT_AN_OBSERVATION, ProfileEntity, deriveProfileRow } from '../../features/profiles/profile.entity.js';
import type { Profile } from '../../features/profiles/profile.js';
import { HELD_COLUMNS, heldObservation, type HeldColumns } from '../../features/history/history.entity.js';
import { contentStore } from './content-store.js';
import { forgottenStore } from './forgotten-store.js';
import { gamesStore } from './games-store.js';
import { historyStore, writeHistory } from './history-store.js';
import { observationScope } from './observations.js';
import { observationsStore } from './observations-store.js';
import { provenanceStore, removeProvenance } from './provenance-store.js';
import type { FeedKind } from '../../features/changes/feeds.js';
import type { ImportKind, ImportRecords } from './parse-line.js';
import { NO_RELATED_ROWS, rowsOf, joinKey, type Creator, type RecordStore } from './record-store.js';
import type { MatchedRecord, Revision, Revisions, StoredVersion } from './revisions.js';
import { selectChanged, type PlatformTable } from './select-changed.js';

type CreatorDocument = Omit<Stored<CreatorDocumentEntity>, keyof Revision>;
type ProfileRow = Omit<Stored<ProfileEntity>, keyof Revision>;

interface DocumentOwner {
  readonly platform_id: Platform;
  readonly profile_id: string;
}

type ProfileVersion = StoredVersion & HeldColumns;

const PROFILES: PlatformTable<'id', ProfileVersion> = {
  kind: 'profiles',
  entity: ProfileEntity,
  id: 'id',
  columns: HELD_COLUMNS,
  hasDate: false,
};

const profileStore: RecordStore<Profile, ProfileRow, never> = {
  prepare: (profile, document = JSON.stringify(profile)) => ({
    row: deriveProfileRow(profile, document),
    related: NO_RELATED_ROWS,
  }),
  identityOf: ({ platform, id }) => joinKey(platform, id),
  creatorsOf: ({ row }) => [{ platform: row.platform, profileId: row.id }],
  observationOf: ({ platform, id }) => ({ scope: observationScope('profiles', platform), id }),
  heldObservationOf: heldObservation,
  write: async (writer, records, revisions) => {
    if (revisions.insertsFirst && (await insertNewProfiles(writer, revisions, rowsOf(records)))) return;
    const { changed, unchanged, replacing, revision } = await selectChanged(writer, revisions, PROFILES, records);
    const restored = unchanged.filter(lacksObservation);
    await Promise.all([
      writer.upsert(ProfileEntity, rowsOf(changed), { shared: revision }),
      writer.upsert(
        ProfileEntity,
        restored.map(({ record: { row }, version: { revision: kept, changed_at } }) => ({
          ...row,
          revision: kept,
          changed_at,
        })),
      ),
      writeHistory(writer, [...replacing, ...restored].flatMap(lostObservation)),
    ]);
  },
};

/** Inserts profiles without looking for stored versions, which takes a tenth of a load of new ones. @returns false if some are stored */
async function insertNewProfiles(writer: Writer, revisions: Revisions, rows: readonly ProfileRow[]): Promise<boolean> {
  const shared = await revisions.assign('profiles');
  const inserted = await writer.upsert(ProfileEntity, rows, { shared, keepsStored: true });
  for (const code of new Set(rows.map(({ platform }) => platform))) {
    const ids = rows.filter(({ platform }) => platform === code).map(({ id }) => id);
    await revisions.removeDeleted('profiles', code, ids);
  }
  // If some were stored before, the caller selects again, and the rows inserted here count as unchanged.
  const areNew = inserted === rows.length;
  revisions.hasStored ||= !areNew;
  return areNew;
}

/** Reports whether an unchanged profile does not hold its observation: days were purged, or a version without histories stored it. */
function lacksObservation({ record: { row }, version }: MatchedRecord<ProfileRow, never, ProfileVersion>): boolean {
  const isDue = version.observed_at !== NOT_AN_OBSERVATION && version.observed_at !== row.observed_at;
  return isDue && heldObservation(row) !== null;
}

/** Returns the observation that a stored profile holds, unless the record has one of the same day that is not older. */
function lostObservation({ record: { row }, version }: MatchedRecord<ProfileRow, never, ProfileVersion>) {
  const held = heldObservation({ ...version, platform: row.platform, id: row.id });
  if (held === null) return [];
  const next = heldObservation(row);
  return next?.day === held.day && next.observed_at >= held.observed_at ? [] : [held];
}

const ownerKey = ({ platform, profile_id }: CreatorDocument): string => joinKey(platform, profile_id);
const ownerOf = ({ platform, profile_id }: CreatorDocument): Creator => ({ platform, profileId: profile_id });

/** Creates the row of a document about a creator. */
const creatorDocument = (
  line: DocumentOwner,
  updatedAt: string | null,
  value: unknown,
  document = JSON.stringify(value),
): CreatorDocument => ({
  platform: platformCode(line.platform_id),
  profile_id: line.profile_id,
  updated_at: sortableInstant(updatedAt),
  document,
});

/** Creates the store of a kind that has one document per creator. */
function creatorDocumentStore<T>(
  kind: FeedKind,
  entity: CreatorDocumentClass,
  rowOf: (line: T, document?: string) => CreatorDocument,
): RecordStore<T, CreatorDocument, never> {
  const table = { kind, entity, id: 'profile_id', columns: ['updated_at'], hasDate: true } as const;
  return {
    prepare: (line, document) => ({ row: rowOf(line, document), related: NO_RELATED_ROWS }),
    identityOf: ownerKey,
    creatorsOf: ({ row }) => [ownerOf(row)],
    write: async (writer, records, revisions) => {
      const { changed, revision } = await selectChanged(writer, revisions, table, records);
      await writer.upsert(entity, rowsOf(changed), { shared: revision });
    },
  };
}

type AnalysisRow = CreatorDocument & { readonly source: number };

const ANALYSES = {
  kind: 'analysis',
  entity: CreatorAnalysisEntity,
  id: 'profile_id',
  columns: ['updated_at'],
  hasDate: true,
} as const;

const analysisStore: RecordStore<AnalysisLine, AnalysisRow, never> = {
  prepare: (line, document) => ({
    row: {
      ...creatorDocument(line, line.updated_at, line.analysis, document),
      source: analysisSourceCode('database'),
    },
    related: NO_RELATED_ROWS,
  }),
  identityOf: ownerKey,
  creatorsOf: ({ row }) => [ownerOf(row)],
  write: async (writer, records, revisions) => {
    const { changed, unchanged, revision } = await selectChanged(writer, revisions, ANALYSES, records);
    const rows = rowsOf(changed);
    // A model made the analysis that is imported now. The source is not part of the record, so its revision stays.
    const repeated = unchanged.filter(({ record }) => record.row.source === analysisSourceCode('model'));
    await Promise.all([
      writer.upsert(CreatorAnalysisEntity, rows, { shared: revision }),
      writer.upsert(
        CreatorAnalysisEntity,
        repeated.map(({ record, version: { revision: kept, changed_at } }) => ({
          ...record.row,
          revision: kept,
          changed_at,
        })),
      ),
      // Provenance describes the record that is replaced.
      removeProvenance(
        writer,
        rows.filter(({ source }) => source === analysisSourceCode('database')),
      ),
    ]);
  },
};

const SOCIALS = { kind: 'socials', entity: SocialLinksEntity, id: 'profile_id', columns: [], hasDate: false } as const;

const socialsStore: RecordStore<SocialsLine, CreatorDocument, Stored<SocialTargetEntity>> = {
  prepare: (line, document) => {
    const row = creatorDocument(line, null, line.links, document);
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
  creatorsOf: ({ row, related }) => [
    ownerOf(row),
    ...related.map(({ target_platform, target_id }) => ({ platform: target_platform, profileId: target_id })),
  ],
  write: async (writer, records, revisions) => {
    const { changed, revision } = await selectChanged(writer, revisions, SOCIALS, records);
    const owners = rowsOf(changed);
    await Promise.all([
      writer.upsert(SocialLinksEntity, owners, { shared: revision }),
      writer.remove(SocialTargetEntity, ['platform', 'profile_id'], owners),
      writer.upsert(
        SocialTargetEntity,
        changed.flatMap(({ related }) => related),
      ),
    ]);
  },
};

/** Record stores by kind. */
export const RECORD_STORES: { readonly [K in ImportKind]: RecordStore<ImportRecords[K]> } = {
  profiles: profileStore,
  content: contentStore,
  games: gamesStore,
  analysis: analysisStore,
  audience: creatorDocumentStore('audience', AudienceAnalysisEntity, (line, document) =>
    creatorDocument(line, line.last_updated_at, line.audience, document),
  ),
  socials: socialsStore,
  emails: creatorDocumentStore('emails', EmailEntity, (line, document) => {
    const { email, updated_at } = line;
    return creatorDocument(line, updated_at, { email, updated_at }, document);
  }),
  forgotten: forgottenStore,
  observations: observationsStore,
  provenance: provenanceStore,
  history: historyStore,
};
