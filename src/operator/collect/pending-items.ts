import type { Database } from '../../database/database.js';
import { ContentEntity } from '../../features/content/content.entity.js';
import { platformCode } from '../../model/platforms.js';
import { NEWEST_ITEMS, type ListedItem } from './collect-platform.js';
import { SOURCE_PLATFORMS, type CollectSource } from './collect-source.js';

/** Age up to which items are asked for again: their counts still grow. */
const YOUNG_MS = 90 * 86_400_000;

/** Returns the listed items to ask for: those that are young or not stored yet. */
export async function findPendingItems(
  database: Database,
  source: CollectSource,
  listed: readonly ListedItem[],
  now: number,
): Promise<string[]> {
  if (source === 'igdb') return [];
  const items = [...new Map(listed.map((item) => [item.id, item])).values()].slice(0, NEWEST_ITEMS);
  const isYoung = ({ publishedAt }: ListedItem) => publishedAt === null || now - publishedAt < YOUNG_MS;
  const old = items.filter((item) => !isYoung(item)).map(({ id }) => id);
  const byId = database.lookup({ entity: ContentEntity, group: 'platform', id: 'content_id', columns: [] });
  const stored = await database.findMany(byId, platformCode(SOURCE_PLATFORMS[source]), old, { source: 'primary' });
  const known = new Set(stored.map(({ content_id }) => String(content_id)));
  return items.filter((item) => isYoung(item) || !known.has(item.id)).map(({ id }) => id);
}
