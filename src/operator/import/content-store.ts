import { gamesOfContent } from '../../features/content/content-kind.js';
import { MAX_REPEATED_CHARACTERS, type StoredGameContent } from '../../features/content/content.entity.js';
import type { Content } from '../../features/content/content.js';
import type { Row, Writer } from '../../database/database.js';
import type { Prepared } from './record-stores.js';

/** The key of a link between a game and an item: the first columns of its row. */
export const LINK_KEY = ['platform', 'game_id', 'created_at', 'content_id'] as const;

/** The rows that put an item under its games. @param document the item as it is stored */
export function linkRows(content: Content, document: string): Row[] {
  const links = gamesOfContent(content);
  const repeated = links.length * document.length <= MAX_REPEATED_CHARACTERS ? document : null;
  return links.map((link) => [...linkKey(link), link.kind, repeated]);
}

const linkKey = (link: Omit<StoredGameContent, 'document'>): Row => LINK_KEY.map((column) => link[column]);

/** Stores items of content with their links, and removes the links that their former versions had alone. */
export async function writeContent(writer: Writer, records: readonly Prepared[]): Promise<void> {
  const links = records.flatMap(({ related }) => related);
  // As JSON: IDs may hold any separator, and two different keys must not look alike.
  const keptKeys = new Set(links.map((link) => JSON.stringify(link.slice(0, LINK_KEY.length))));
  const outdated = (await linksOfStored(writer, records)).filter((link) => !keptKeys.has(JSON.stringify(link)));
  await writer.remove('game_content', LINK_KEY, outdated);
  const columns = ['platform', 'content_id', 'profile_id', 'kind', 'created_at', 'document'];
  await writer.upsert(
    'content',
    columns,
    ['platform', 'content_id'],
    records.map(({ row }) => row),
  );
  await writer.upsert('game_content', [...LINK_KEY, 'kind', 'document'], LINK_KEY, links);
}

/** The keys of the links of a stored item: its document tells, so no index by item is needed. */
export function linkKeys(document: string): Row[] {
  return gamesOfContent(JSON.parse(document) as Content).map(linkKey);
}

async function linksOfStored(writer: Writer, records: readonly Prepared[]): Promise<Row[]> {
  const idsByPlatform = new Map<number, string[]>();
  for (const { row } of records) {
    const platform = Number(row[0]);
    const ids = idsByPlatform.get(platform);
    if (ids === undefined) idsByPlatform.set(platform, [String(row[1])]);
    else ids.push(String(row[1]));
  }
  const links: Row[] = [];
  const lookup = {
    table: 'content',
    group: 'platform',
    id: 'content_id',
    index: 'content_by_id',
    columns: ['document'],
  };
  for (const [platform, ids] of idsByPlatform) {
    for (const [, document] of await writer.findMany(lookup, platform, ids)) links.push(...linkKeys(String(document)));
  }
  return links;
}
