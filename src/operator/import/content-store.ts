import { gamesOfContent } from '../../features/content/content-kind.js';
import { ContentEntity, GameContentEntity, MAX_REPEATED_CHARACTERS } from '../../features/content/content.entity.js';
import type { Content } from '../../features/content/content.js';
import type { Writer } from '../../database/database.js';
import { named, type Prepared, type Row } from './stored-rows.js';

/** The columns of an item's row. */
const COLUMNS = ['platform', 'content_id', 'profile_id', 'kind', 'created_at', 'document'] as const;

/** What an item is found by. */
const BY_ID = ['platform', 'content_id'] as const;

/** The key of a link between a game and an item: the first columns of its row. */
const LINK_KEY = ['platform', 'game_id', 'created_at', 'content_id'] as const;

const LINK_COLUMNS = [...LINK_KEY, 'kind', 'document'] as const;

type LinkKey = Pick<GameContentEntity, (typeof LINK_KEY)[number]>;

/** The rows that put an item under its games. @param document the item as it is stored */
export function linkRows(content: Content, document: string): Row[] {
  const links = gamesOfContent(content);
  const repeated = links.length * document.length <= MAX_REPEATED_CHARACTERS ? document : null;
  return links.map((link) => [...LINK_KEY.map((column) => link[column]), link.kind, repeated]);
}

/** Stores items of content with their links, and removes the links that their former versions had alone. */
export async function writeContent(writer: Writer, records: readonly Prepared[]): Promise<void> {
  const rows = records.map(({ row }) => row);
  const items = named(ContentEntity, COLUMNS, rows);
  const related = records.flatMap((record) => record.related);
  const links = named(GameContentEntity, LINK_COLUMNS, related);
  const kept = new Set(links.map(textOf));
  const outdated = linksOf(await storedVersions(writer, items)).filter((link) => !kept.has(textOf(link)));
  await Promise.all([
    writer.remove(GameContentEntity, LINK_KEY, outdated),
    writer.upsert(ContentEntity, items, { key: BY_ID }),
    writer.upsert(GameContentEntity, links),
  ]);
}

/** Removes items of content with their links. */
export async function removeContent(
  writer: Writer,
  items: readonly Pick<ContentEntity, (typeof BY_ID)[number] | 'document'>[],
): Promise<void> {
  await Promise.all([
    writer.remove(GameContentEntity, LINK_KEY, linksOf(items)),
    writer.remove(ContentEntity, BY_ID, items),
  ]);
}

/** As JSON: IDs may hold any separator, and two different keys must not look alike. */
const textOf = (link: LinkKey): string => JSON.stringify(LINK_KEY.map((column) => link[column]));

/** The links of stored items: their documents tell, so no index by item is needed. */
const linksOf = (items: readonly Pick<ContentEntity, 'document'>[]): LinkKey[] =>
  items.flatMap(({ document }) => gamesOfContent(JSON.parse(document) as Content));

async function storedVersions(
  writer: Writer,
  items: readonly Pick<ContentEntity, (typeof BY_ID)[number]>[],
): Promise<Pick<ContentEntity, 'document'>[]> {
  const byId = writer.lookup({ entity: ContentEntity, group: 'platform', id: 'content_id', columns: ['document'] });
  const platforms = [...new Set(items.map(({ platform }) => platform))];
  const found = platforms.map((platform) => {
    const ids = items.filter((item) => item.platform === platform).map(({ content_id }) => content_id);
    return writer.findMany(byId, platform, ids);
  });
  return (await Promise.all(found)).flat();
}
