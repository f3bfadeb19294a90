import { gamesOfContent, contentKind, sortableInstant } from '../content/content-kind.js';
import type { Content } from '../content/content.js';
import { UNKNOWN_SORT_VALUE } from '../database/columns.js';
import type { Row, Writer } from '../database/database.js';
import type { CreatorDocumentTable } from '../analysis/analysis.entities.js';
import { platformCode, type Platform } from '../platforms/platforms.js';
import { foldHandle } from '../profiles/handle.js';
import type { ImportKind, ImportRecords } from './parse-line.js';

type RecordWriter<K extends ImportKind> = (writer: Writer, records: readonly ImportRecords[K][]) => Promise<void>;

/** How the records of each kind are stored. Every record replaces the one that was there; none occurs twice. */
export const WRITERS: { readonly [K in ImportKind]: RecordWriter<K> } = {
  profiles: async (writer, records) => {
    await writer.upsert(
      'profiles',
      ['platform', 'id', 'handle', 'followers', 'updated_at', 'last_active_at', 'document'],
      ['platform', 'id'],
      records.map((profile) => [
        platformCode(profile.platform_id),
        profile.id,
        profile.name === null ? null : foldHandle(profile.name),
        profile.statistics.followers ?? UNKNOWN_SORT_VALUE,
        sortableInstant(profile.updated_at),
        sortableInstant(profile.last_active_at),
        JSON.stringify(profile),
      ]),
    );
  },
  content: writeContent,
  games: writeGames,
  analysis: (writer, records) =>
    writeDocuments(
      writer,
      'creator_analyses',
      records,
      ({ updated_at }) => updated_at,
      ({ analysis }) => analysis,
    ),
  audience: (writer, records) =>
    writeDocuments(
      writer,
      'audience_analyses',
      records,
      ({ last_updated_at }) => last_updated_at,
      ({ audience }) => audience,
    ),
  socials: writeSocials,
  emails: (writer, records) =>
    writeDocuments(
      writer,
      'emails',
      records,
      ({ updated_at }) => updated_at,
      ({ email, updated_at }) => ({ email, updated_at }),
    ),
};

const LINK_KEY = ['platform', 'game_id', 'created_at', 'content_id'] as const;

async function writeContent(writer: Writer, records: readonly Content[]): Promise<void> {
  const links = records.flatMap(gamesOfContent);
  // As JSON: IDs may hold any separator, and two different keys must not look alike.
  const kept = new Set(links.map((link) => JSON.stringify(LINK_KEY.map((column) => link[column]))));
  const outdated = (await linksOfStored(writer, records)).filter((link) => !kept.has(JSON.stringify(link)));
  await writer.remove('game_content', LINK_KEY, outdated);
  await writer.upsert(
    'content',
    ['platform', 'content_id', 'profile_id', 'kind', 'created_at', 'document'],
    ['platform', 'content_id'],
    records.map((content) => [
      platformCode(content.platform),
      content.content_id,
      content.profile_id,
      contentKind(content.type),
      sortableInstant(content.created_at),
      JSON.stringify(content),
    ]),
  );
  await writer.upsert(
    'game_content',
    [...LINK_KEY, 'kind'],
    LINK_KEY,
    links.map((link) => [link.platform, link.game_id, link.created_at, link.content_id, link.kind]),
  );
}

/** The keys of the links that items of these IDs have now: their documents tell, so no index by item is needed. */
async function linksOfStored(writer: Writer, records: readonly Content[]): Promise<Row[]> {
  const links: Row[] = [];
  for (const [platform, ids] of groupIds(records.map((content) => [content.platform, content.content_id]))) {
    const lookup = { table: 'content', group: 'platform', id: 'content_id', columns: ['document'] };
    for (const [, document] of await writer.findMany(lookup, platformCode(platform), ids)) {
      links.push(...linkKeys(String(document)));
    }
  }
  return links;
}

/** The keys of the links of a stored item. */
export function linkKeys(document: string): Row[] {
  return gamesOfContent(JSON.parse(document) as Content).map((link) => LINK_KEY.map((column) => link[column]));
}

async function writeGames(writer: Writer, records: readonly ImportRecords['games'][]): Promise<void> {
  await writer.run("UPDATE counters SET value = value + 1 WHERE name = 'games_revision'", []);
  const [counter] = await writer.all("SELECT value FROM counters WHERE name = 'games_revision'", []);
  const revision = Number(counter?.[0]);

  const columns = ['id', 'name', 'live_platform_id', 'video_platform_id', 'unpopularity', 'revision', 'document'];
  const lookup = { table: 'games', group: null, id: 'id', columns: ['num'] };
  const stored = await writer.findMany(
    lookup,
    null,
    records.map(({ id }) => id),
  );
  const numbers = new Map(stored.map(([id, num]) => [String(id), Number(num)]));
  const rows = records.map((game) => ({
    num: numbers.get(game.id),
    values: [
      game.id,
      game.name,
      game.live_platform_id,
      game.video_platform_id,
      game.total_rating_count === null ? -UNKNOWN_SORT_VALUE : -game.total_rating_count,
      revision,
      JSON.stringify(game),
    ],
  }));
  // Known games keep their number: inserting them without one would use up a new number each time.
  const known = rows.flatMap(({ num, values }) => (num === undefined ? [] : [[num, ...values]]));
  await writer.upsert('games', ['num', ...columns], ['num'], known);
  const unknown = rows.flatMap(({ num, values }) => (num === undefined ? [values] : []));
  await writer.upsert('games', columns, ['id'], unknown);
}

async function writeSocials(writer: Writer, records: readonly ImportRecords['socials'][]): Promise<void> {
  await writeDocuments(
    writer,
    'social_links',
    records,
    () => null,
    ({ links }) => links,
  );
  const owners = records.map(({ platform_id, profile_id }): Row => [platformCode(platform_id), profile_id]);
  await writer.remove('social_link_targets', ['platform', 'profile_id'], owners);
  const columns = ['target_platform', 'target_id', 'platform', 'profile_id'];
  const targets = records.flatMap(({ platform_id, profile_id, links }) =>
    links.map((link): Row => [platformCode(link.platform_id), link.id, platformCode(platform_id), profile_id]),
  );
  await writer.upsert('social_link_targets', columns, columns, targets);
}

async function writeDocuments<T extends { platform_id: Platform; profile_id: string }>(
  writer: Writer,
  table: CreatorDocumentTable,
  records: readonly T[],
  updatedAt: (record: T) => string | null,
  document: (record: T) => unknown,
): Promise<void> {
  await writer.upsert(
    table,
    ['platform', 'profile_id', 'updated_at', 'document'],
    ['platform', 'profile_id'],
    records.map((record) => [
      platformCode(record.platform_id),
      record.profile_id,
      sortableInstant(updatedAt(record)),
      JSON.stringify(document(record)),
    ]),
  );
}

function groupIds(pairs: readonly (readonly [Platform, string])[]): Map<Platform, string[]> {
  const groups = new Map<Platform, string[]>();
  for (const [platform, id] of pairs) {
    const ids = groups.get(platform);
    if (ids === undefined) groups.set(platform, [id]);
    else ids.push(id);
  }
  return groups;
}
