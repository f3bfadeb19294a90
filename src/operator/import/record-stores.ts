import {
  AudienceAnalysisEntity,
  CreatorAnalysisEntity,
  EmailEntity,
  SocialLinksEntity,
  SocialTargetEntity,
  type CreatorDocumentClass,
  type CreatorDocumentEntity,
} from '../../features/analysis/analysis.entities.js';
import { contentKind, sortableInstant } from '../../features/content/content-kind.js';
import type { Content } from '../../features/content/content.js';
import { UNKNOWN_SORT_VALUE } from '../../database/columns.js';
import type { Writer } from '../../database/database.js';
import { platformCode, type Platform } from '../../model/platforms.js';
import { ProfileEntity } from '../../features/profiles/profile.entity.js';
import { foldHandle, withoutAt } from '../../features/profiles/handle.js';
import { linkRows, writeContent } from './content-store.js';
import { writeGames } from './games-store.js';
import type { ImportKind, ImportRecords } from './parse-line.js';
import { named, type Prepared, type Row } from './stored-rows.js';

/** A creator, as a stored platform code and an ID. */
export interface Creator {
  readonly platform: number;
  readonly profileId: string;
}

/** What rows of a table are ordered by, as text: made by `join`, as what `+` makes takes up twice the memory. */
export interface RecordOrder {
  /** Rows with the same identity are about the same record; the last one wins. */
  readonly identityOf: (row: Row) => string;
  /** Rows whose places sort next to each other lie next to each other in the table. */
  readonly placeOf: (row: Row) => string;
}

interface RecordStore<K extends ImportKind> extends RecordOrder {
  prepare(record: ImportRecords[K]): Prepared;
  /** Whom a record is about: it is suppressed if one of them was forgotten. */
  readonly creatorsOf: (prepared: Prepared) => Creator[];
  /** Stores records, none of which occurs twice; each replaces the one that was there. */
  write(writer: Writer, records: readonly Prepared[]): Promise<unknown>;
}

/** The columns of rows. */
const PROFILE = ['platform', 'id', 'handle', 'followers', 'updated_at', 'last_active_at', 'document'] as const;
const DOCUMENT = ['platform', 'profile_id', 'updated_at', 'document'] as const;
const TARGET = ['target_platform', 'target_id', 'platform', 'profile_id'] as const;

/** Shared by all records without related rows. */
const NONE: readonly Row[] = [];

/** Of rows that start with a platform and an ID. */
const platformAndId: RecordOrder['identityOf'] = (row) => [row[0], row[1]].join(' ');

/** How tables are ordered whose rows start with a platform and an ID, and are laid out by them. */
const BY_ID: RecordOrder = { identityOf: platformAndId, placeOf: platformAndId };

const gameId: RecordOrder['identityOf'] = (row) => String(row[0]);

/** As many digits as a time in milliseconds has, so that times sort as text. */
const TIME_DIGITS = 16;

const ownerOf = ({ row }: Prepared): Creator => ({ platform: Number(row[0]), profileId: String(row[1]) });

/** How a kind is stored that has one document for each creator. */
const creatorDocuments = (entity: CreatorDocumentClass) => ({
  ...BY_ID,
  creatorsOf: (prepared: Prepared) => [ownerOf(prepared)],
  write: (writer: Writer, records: readonly Prepared[]) => writer.upsert(entity, documentsOf(records)),
});

/** How each kind of record is stored. */
export const STORES: { readonly [K in ImportKind]: RecordStore<K> } = {
  profiles: {
    ...BY_ID,
    prepare: (profile) => ({
      row: [
        platformCode(profile.platform_id),
        profile.id,
        profile.name === null ? null : foldHandle(withoutAt(profile.name)) || null,
        profile.statistics.followers ?? UNKNOWN_SORT_VALUE,
        sortableInstant(profile.updated_at),
        sortableInstant(profile.last_active_at),
        JSON.stringify(profile),
      ],
      related: NONE,
    }),
    creatorsOf: (prepared) => [ownerOf(prepared)],
    write: (writer, records) => {
      const rows = records.map(({ row }) => row);
      return writer.upsert(ProfileEntity, named(ProfileEntity, PROFILE, rows));
    },
  },
  content: {
    identityOf: platformAndId,
    placeOf: (row) => [row[0], String(row[4]).padStart(TIME_DIGITS, '0'), row[1]].join(' '),
    prepare: prepareContent,
    creatorsOf: ({ row }) => (row[2] === null ? [] : [{ platform: Number(row[0]), profileId: String(row[2]) }]),
    write: writeContent,
  },
  games: {
    identityOf: gameId,
    placeOf: gameId,
    prepare: (game) => ({
      row: [
        game.id,
        game.name,
        game.live_platform_id,
        game.video_platform_id,
        game.total_rating_count === null ? -UNKNOWN_SORT_VALUE : -game.total_rating_count,
        JSON.stringify(game),
      ],
      related: NONE,
    }),
    creatorsOf: () => [],
    write: writeGames,
  },
  analysis: {
    ...creatorDocuments(CreatorAnalysisEntity),
    prepare: (line) => creatorDocument(line, line.updated_at, line.analysis),
  },
  audience: {
    ...creatorDocuments(AudienceAnalysisEntity),
    prepare: (line) => creatorDocument(line, line.last_updated_at, line.audience),
  },
  socials: {
    ...BY_ID,
    prepare: (line) => {
      const { row } = creatorDocument(line, null, line.links);
      const targets = line.links.map((link) => [platformCode(link.platform_id), link.id]);
      return { row, related: targets.map((target) => [...target, ...row.slice(0, 2)]) };
    },
    creatorsOf: (prepared) => [
      ownerOf(prepared),
      ...prepared.related.map(([platform, id]) => ({ platform: Number(platform), profileId: String(id) })),
    ],
    write: writeSocials,
  },
  emails: {
    ...creatorDocuments(EmailEntity),
    prepare: (line) => creatorDocument(line, line.updated_at, { email: line.email, updated_at: line.updated_at }),
  },
};

function prepareContent(content: Content): Prepared {
  const platform = platformCode(content.platform);
  const document = JSON.stringify(content);
  return {
    row: [
      platform,
      content.content_id,
      content.profile_id,
      contentKind(content.type),
      sortableInstant(content.created_at),
      document,
    ],
    related: linkRows(content, document),
  };
}

function creatorDocument(
  line: { readonly platform_id: Platform; readonly profile_id: string },
  updatedAt: string | null,
  document: unknown,
): Prepared {
  const row = [platformCode(line.platform_id), line.profile_id, sortableInstant(updatedAt), JSON.stringify(document)];
  return { row, related: NONE };
}

async function writeSocials(writer: Writer, records: readonly Prepared[]): Promise<void> {
  const owners = documentsOf(records);
  const related = records.flatMap((record) => record.related);
  const targets = named(SocialTargetEntity, TARGET, related);
  await Promise.all([
    writer.upsert(SocialLinksEntity, owners),
    writer.remove(SocialTargetEntity, ['platform', 'profile_id'], owners),
    writer.upsert(SocialTargetEntity, targets),
  ]);
}

const documentsOf = (records: readonly Prepared[]): CreatorDocumentEntity[] =>
  named(
    CreatorAnalysisEntity,
    DOCUMENT,
    records.map(({ row }) => row),
  );
