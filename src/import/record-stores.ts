import type { CreatorDocumentTable } from '../analysis/analysis.entities.js';
import { contentKind, sortableInstant } from '../content/content-kind.js';
import type { Content } from '../content/content.js';
import { UNKNOWN_SORT_VALUE } from '../database/columns.js';
import type { Row, Writer } from '../database/database.js';
import { platformCode, type Platform } from '../platforms/platforms.js';
import { foldHandle, withoutAt } from '../profiles/handle.js';
import { linkRows, writeContent } from './content-store.js';
import { writeGames } from './games-store.js';
import type { ImportKind, ImportRecords } from './parse-line.js';

/** A creator, as a stored platform code and an ID. */
export interface Creator {
  readonly platform: number;
  readonly profileId: string;
}

/** A record in the form it is stored in: thousands wait in memory, and rows are smaller than what they were made of. */
export interface Prepared {
  /** What makes two lines be about the same record; the last one wins. */
  readonly key: string;
  /** Whom the record is about: it is suppressed if one of them was forgotten. */
  readonly creators: readonly Creator[];
  readonly row: Row;
  /** Rows of a second table that belong to it: a content item's games, the targets of social links. */
  readonly related: readonly Row[];
}

interface RecordStore<K extends ImportKind> {
  prepare(record: ImportRecords[K]): Prepared;
  /** Stores records, none of which occurs twice; each replaces the one that was there. */
  write(writer: Writer, records: readonly Prepared[]): Promise<void>;
}

/** How each kind of record is stored. */
export const STORES: { readonly [K in ImportKind]: RecordStore<K> } = {
  profiles: {
    prepare: (profile) => {
      const platform = platformCode(profile.platform_id);
      return {
        key: `${platform} ${profile.id}`,
        creators: [{ platform, profileId: profile.id }],
        row: [
          platform,
          profile.id,
          profile.name === null ? null : foldHandle(withoutAt(profile.name)) || null,
          profile.statistics.followers ?? UNKNOWN_SORT_VALUE,
          sortableInstant(profile.updated_at),
          sortableInstant(profile.last_active_at),
          JSON.stringify(profile),
        ],
        related: [],
      };
    },
    write: async (writer, records) => {
      const columns = ['platform', 'id', 'handle', 'followers', 'updated_at', 'last_active_at', 'document'];
      await writer.upsert('profiles', columns, ['platform', 'id'], rowsOf(records));
    },
  },
  content: { prepare: prepareContent, write: writeContent },
  games: {
    prepare: (game) => ({
      key: game.id,
      creators: [],
      row: [
        game.id,
        game.name,
        game.live_platform_id,
        game.video_platform_id,
        game.total_rating_count === null ? -UNKNOWN_SORT_VALUE : -game.total_rating_count,
        JSON.stringify(game),
      ],
      related: [],
    }),
    write: writeGames,
  },
  analysis: {
    prepare: (line) => creatorDocument(line, line.updated_at, line.analysis),
    write: (writer, records) => writeDocuments(writer, 'creator_analyses', records),
  },
  audience: {
    prepare: (line) => creatorDocument(line, line.last_updated_at, line.audience),
    write: (writer, records) => writeDocuments(writer, 'audience_analyses', records),
  },
  socials: {
    prepare: (line) => {
      const targets = line.links.map((link) => creator(link.platform_id, link.id));
      const prepared = creatorDocument(line, null, line.links);
      const [owner] = prepared.creators;
      return {
        ...prepared,
        creators: [...prepared.creators, ...targets],
        related: targets.map((target) => [target.platform, target.profileId, owner?.platform ?? 0, line.profile_id]),
      };
    },
    write: writeSocials,
  },
  emails: {
    prepare: (line) => creatorDocument(line, line.updated_at, { email: line.email, updated_at: line.updated_at }),
    write: (writer, records) => writeDocuments(writer, 'emails', records),
  },
};

function prepareContent(content: Content): Prepared {
  const platform = platformCode(content.platform);
  const document = JSON.stringify(content);
  return {
    key: `${platform} ${content.content_id}`,
    creators: content.profile_id === null ? [] : [{ platform, profileId: content.profile_id }],
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
  const owner = creator(line.platform_id, line.profile_id);
  return {
    key: `${owner.platform} ${owner.profileId}`,
    creators: [owner],
    row: [owner.platform, owner.profileId, sortableInstant(updatedAt), JSON.stringify(document)],
    related: [],
  };
}

async function writeDocuments(
  writer: Writer,
  table: CreatorDocumentTable,
  records: readonly Prepared[],
): Promise<void> {
  const columns = ['platform', 'profile_id', 'updated_at', 'document'];
  await writer.upsert(table, columns, ['platform', 'profile_id'], rowsOf(records));
}

async function writeSocials(writer: Writer, records: readonly Prepared[]): Promise<void> {
  await writeDocuments(writer, 'social_links', records);
  const owners = records.map(({ row }) => row.slice(0, 2));
  await writer.remove('social_link_targets', ['platform', 'profile_id'], owners);
  const columns = ['target_platform', 'target_id', 'platform', 'profile_id'];
  await writer.upsert(
    'social_link_targets',
    columns,
    columns,
    records.flatMap(({ related }) => related),
  );
}

const creator = (platform: Platform, profileId: string): Creator => ({ platform: platformCode(platform), profileId });

const rowsOf = (records: readonly Prepared[]): Row[] => records.map(({ row }) => row);
