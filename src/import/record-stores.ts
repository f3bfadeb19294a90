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

/**
 * A record in the form it is stored in. Tens of thousands wait in memory: nothing is kept that can be told from the row.
 */
export interface Prepared {
  readonly row: Row;
  /** Rows of a second table that belong to it: a content item's games, the targets of social links. */
  readonly related: readonly Row[];
}

interface RecordStore<K extends ImportKind> {
  prepare(record: ImportRecords[K]): Prepared;
  /** Where the columns stand that make two rows be about the same record; the last one wins. */
  readonly identity: readonly number[];
  /** Where the columns stand that the table is laid out by. */
  readonly clusteredBy: readonly number[];
  /** Whom a record is about: it is suppressed if one of them was forgotten. */
  readonly creatorsOf: (prepared: Prepared) => Creator[];
  /** Stores records, none of which occurs twice; each replaces the one that was there. */
  write(writer: Writer, records: readonly Prepared[]): Promise<void>;
}

/** Shared by all records without related rows. */
const NONE: readonly Row[] = [];

/** What every table has whose rows start with a platform and an ID, and are laid out by them. */
const ID = [0, 1] as const;
const BY_ID = { identity: ID, clusteredBy: ID } as const;

const GAME_ID = [0] as const;

const ownerOf = ({ row }: Prepared): Creator => ({ platform: Number(row[0]), profileId: String(row[1]) });

/** How a kind is stored that has one document for each creator. */
const creatorDocuments = (table: CreatorDocumentTable) => ({
  ...BY_ID,
  creatorsOf: (prepared: Prepared) => [ownerOf(prepared)],
  write: (writer: Writer, records: readonly Prepared[]) => writeDocuments(writer, table, records),
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
    write: async (writer, records) => {
      const columns = ['platform', 'id', 'handle', 'followers', 'updated_at', 'last_active_at', 'document'];
      await writer.upsert('profiles', columns, ['platform', 'id'], rowsOf(records));
    },
  },
  content: {
    identity: [0, 1],
    clusteredBy: [0, 4, 1],
    prepare: prepareContent,
    creatorsOf: ({ row }) => (row[2] === null ? [] : [{ platform: Number(row[0]), profileId: String(row[2]) }]),
    write: writeContent,
  },
  games: {
    identity: GAME_ID,
    clusteredBy: GAME_ID,
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
    ...creatorDocuments('creator_analyses'),
    prepare: (line) => creatorDocument(line, line.updated_at, line.analysis),
  },
  audience: {
    ...creatorDocuments('audience_analyses'),
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
    ...creatorDocuments('emails'),
    prepare: (line) => creatorDocument(line, line.updated_at, { email: line.email, updated_at: line.updated_at }),
  },
};

/**
 * The records to write: of those about the same thing the last one, in an order in which the table takes them best, as
 * neighbours share the writing of a page.
 */
export function latestInOrder<R extends Prepared>(kind: ImportKind, records: R[]): R[] {
  const { identity, clusteredBy } = STORES[kind];
  const byIdentity = comparing(identity);
  const latest = records
    .sort(byIdentity)
    .filter((record, at) => at + 1 === records.length || byIdentity(record, records[at + 1] as R) !== 0);
  return identity === clusteredBy ? latest : latest.sort(comparing(clusteredBy));
}

const comparing =
  (columns: readonly number[]) =>
  (one: Prepared, other: Prepared): number => {
    for (const column of columns) {
      const [a, b] = [one.row[column] ?? '', other.row[column] ?? ''];
      if (a !== b) return a < b ? -1 : 1;
    }
    return 0;
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

const rowsOf = (records: readonly Prepared[]): Row[] => records.map(({ row }) => row);
