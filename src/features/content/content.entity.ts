import { EntitySchema } from 'typeorm';
import { bigintColumn, documentColumn, idColumn, platformColumn, type Dialect } from '../../database/columns.js';

/** A stored item of content: the document that is returned, and the columns that are searched or sorted by. */
export interface StoredContent {
  platform: number;
  content_id: string;
  profile_id: string | null;
  /** What `content_type` filters by: see `contentKind`. */
  kind: number;
  /** Milliseconds since 1970, `UNKNOWN_SORT_VALUE` where unknown. */
  created_at: number;
  document: string;
}

/**
 * An index for each list with and without `content_type`: (filters, created_at, ID), so a page reads what it returns.
 * The primary key, by which MySQL lays out the documents, is that of the platform's list: a page lies together, and so
 * do the newest items, which are what is read most, by creator and by game too. IDs are found through an index.
 */
export const contentEntity = (dialect: Dialect) =>
  new EntitySchema<StoredContent>({
    name: 'content',
    // The embedded database lays rows out by their key only when told so; MySQL always does.
    withoutRowid: true,
    columns: {
      platform: platformColumn({ primary: true }),
      created_at: bigintColumn({ primary: true }),
      content_id: idColumn(dialect, { primary: true }),
      profile_id: idColumn(dialect, { nullable: true }),
      kind: { type: 'tinyint' },
      document: documentColumn(dialect),
    },
    indices: [
      { name: 'content_by_id', columns: ['platform', 'content_id'], unique: true },
      { name: 'content_by_kind', columns: ['platform', 'kind', 'created_at', 'content_id'] },
      { name: 'content_by_profile', columns: ['platform', 'profile_id', 'created_at', 'content_id'] },
      { name: 'content_by_profile_kind', columns: ['platform', 'profile_id', 'kind', 'created_at', 'content_id'] },
    ],
  });

/**
 * An item of content under one of its games; written with the item. It repeats the item's document, so that a page of
 * a game lies together and costs the database half of what finding each item would.
 */
export interface StoredGameContent {
  platform: number;
  /** The game's ID on the platform. */
  game_id: string;
  created_at: number;
  content_id: string;
  kind: number;
  /** Null where the item has so many games that repeating it would take too much room: it is found by its ID then. */
  document: string | null;
}

/** How much text one item may repeat. Hardly any item has as many games and chapters, but a single line could. */
export const MAX_REPEATED_CHARACTERS = 256 * 1024;

export const gameContentEntity = (dialect: Dialect) =>
  new EntitySchema<StoredGameContent>({
    name: 'game_content',
    withoutRowid: true,
    columns: {
      platform: platformColumn({ primary: true }),
      game_id: idColumn(dialect, { primary: true }),
      created_at: bigintColumn({ primary: true }),
      content_id: idColumn(dialect, { primary: true }),
      kind: { type: 'tinyint' },
      document: documentColumn(dialect, { nullable: true }),
    },
    indices: [{ name: 'game_content_by_kind', columns: ['platform', 'game_id', 'kind', 'created_at', 'content_id'] }],
  });
