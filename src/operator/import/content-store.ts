import type { Writer } from '../../database/database.js';
import type { Stored } from '../../database/statements.js';
import {
  ContentEntity,
  deriveContentRow,
  GameContentEntity,
  deriveGameContentRows,
  MAX_REPEATED_CHARACTERS,
} from '../../features/content/content.entity.js';
import type { Content } from '../../features/content/content.js';
import { observationScope } from './observations.js';
import { rowsOf, joinKey, type PreparedRecord, type RecordStore } from './record-store.js';

type Item = Stored<ContentEntity>;
type Link = Stored<GameContentEntity>;

const BY_ID = ['platform', 'content_id'] as const;

const LINK_KEY = ['platform', 'game_id', 'created_at', 'content_id'] as const;

type LinkKey = Pick<GameContentEntity, (typeof LINK_KEY)[number]>;

/** Digits of a time in milliseconds, padded so that times sort as text. */
const TIME_DIGITS = 16;

export const contentStore: RecordStore<Content, Item, Link> = {
  prepare: (content, document = JSON.stringify(content)) => {
    const links = deriveGameContentRows(content);
    const repeated = links.length * document.length <= MAX_REPEATED_CHARACTERS ? document : null;
    return {
      row: { ...deriveContentRow(content), document },
      related: links.map((link) => ({ ...link, document: repeated })),
    };
  },
  identityOf: ({ platform, content_id }) => joinKey(platform, content_id),
  sortKeyOf: ({ platform, created_at, content_id }) =>
    joinKey(platform, String(created_at).padStart(TIME_DIGITS, '0'), content_id),
  creatorsOf: ({ row: { platform, profile_id } }) => (profile_id === null ? [] : [{ platform, profileId: profile_id }]),
  observationOf: ({ platform, content_id }) => ({ scope: observationScope('content', platform), id: content_id }),
  write: writeContent,
};

/** Stores items, and removes the game links that only their previous versions had. */
async function writeContent(writer: Writer, records: readonly PreparedRecord<Item, Link>[]): Promise<void> {
  const items = rowsOf(records);
  const links = records.flatMap(({ related }) => related);
  const kept = new Set(links.map(keyText));
  const outdated = linksOf(await findStoredVersions(writer, items)).filter((link) => !kept.has(keyText(link)));
  await Promise.all([
    writer.remove(GameContentEntity, LINK_KEY, outdated),
    writer.upsert(ContentEntity, items, { key: BY_ID }),
    writer.upsert(GameContentEntity, links),
  ]);
}

/** Removes content items and their game links. */
export async function removeContent(
  writer: Writer,
  items: readonly Pick<ContentEntity, (typeof BY_ID)[number] | 'document'>[],
): Promise<void> {
  await Promise.all([
    writer.remove(GameContentEntity, LINK_KEY, linksOf(items)),
    writer.remove(ContentEntity, BY_ID, items),
  ]);
}

/** Encodes a key as JSON, because IDs may contain any separator. */
const keyText = (link: LinkKey): string => JSON.stringify(LINK_KEY.map((column) => link[column]));

/** Derives the game links of stored items from their documents, so no index by item is needed. */
const linksOf = (items: readonly Pick<ContentEntity, 'document'>[]): LinkKey[] =>
  items.flatMap(({ document }) => deriveGameContentRows(JSON.parse(String(document)) as Content));

async function findStoredVersions(
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
