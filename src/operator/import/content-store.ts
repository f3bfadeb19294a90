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
import type { PreparedRecord } from './prepared-record.js';
import { rowsOf, joinKey, type RecordStore } from './record-store.js';
import type { Revision, Revisions } from './revisions.js';
import { selectChanged } from './select-changed.js';

type Item = Omit<Stored<ContentEntity>, keyof Revision>;
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

const CONTENT = { kind: 'content', entity: ContentEntity, id: 'content_id', columns: [], hasDate: false } as const;

/** Stores items, and removes the game links that only their previous versions had. */
async function writeContent(
  writer: Writer,
  records: readonly PreparedRecord<Item, Link>[],
  revisions: Revisions,
): Promise<void> {
  const { changed, replacing, revision } = await selectChanged(writer, revisions, CONTENT, records);
  const links = changed.flatMap(({ related }) => related);
  const kept = new Set(links.map(keyText));
  const outdated = linksOf(replacing.map(({ version }) => version)).filter((link) => !kept.has(keyText(link)));
  await Promise.all([
    writer.remove(GameContentEntity, LINK_KEY, outdated),
    writer.upsert(ContentEntity, rowsOf(changed), { key: BY_ID, shared: revision }),
    writer.upsert(GameContentEntity, links),
  ]);
}

/** Removes stored content items of a platform, and their game links. */
export async function removeContent(
  writer: Writer,
  platform: number,
  items: readonly Pick<ContentEntity, (typeof BY_ID)[number] | 'document'>[],
  revisions: Revisions,
): Promise<void> {
  await Promise.all([
    writer.remove(GameContentEntity, LINK_KEY, linksOf(items)),
    writer.remove(ContentEntity, BY_ID, items),
  ]);
  await revisions.addDeleted(
    'content',
    platform,
    items.map(({ content_id }) => String(content_id)),
  );
}

/** Encodes a key as JSON, because IDs may contain any separator. */
const keyText = (link: LinkKey): string => JSON.stringify(LINK_KEY.map((column) => link[column]));

/** Derives the game links of stored items from their documents, so no index by item is needed. */
const linksOf = (items: readonly { readonly document: Buffer }[]): LinkKey[] =>
  items.flatMap(({ document }) => deriveGameContentRows(JSON.parse(String(document)) as Content));
