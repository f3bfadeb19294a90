import { UNKNOWN_SORT_VALUE } from '../../database/columns.js';
import type { EntityClass } from '../../database/statements.js';
import { DOCUMENT_ENTITIES, type DocumentKind } from '../../features/analysis/analysis.entities.js';
import { ContentEntity } from '../../features/content/content.entity.js';
import { HELD_COLUMNS } from '../../features/history/history.entity.js';
import { GameEntity } from '../../features/games/game.entity.js';
import { ProfileEntity } from '../../features/profiles/profile.entity.js';
import { platformFromCode } from '../../model/platforms.js';

/** Kinds of records that can be reindexed. */
export const REINDEX_KINDS = ['profiles', 'content', 'games', 'analysis', 'audience', 'socials', 'emails'] as const;

export type ReindexKind = (typeof REINDEX_KINDS)[number];

type Row = Readonly<Record<string, unknown>>;

/** Table and key of the stored records of a kind. */
interface ReindexSource {
  readonly entity: EntityClass<object>;
  /** Columns of the unique index in whose order records are read. A reindex does not change them. */
  readonly keys: readonly [string, ...string[]];
  /** Returns the import line of a record, if it has more than the document. */
  readonly lineOf?: (row: Row, document: object) => object;
  /** Columns that no document contains. A reindex does not change them. */
  readonly kept?: readonly string[];
}

/** @param lineOf returns the members beside platform and creator */
function documentSource(
  kind: DocumentKind,
  lineOf: (document: object, updatedAt: string | null) => object,
): ReindexSource {
  return {
    entity: DOCUMENT_ENTITIES[kind],
    keys: ['platform', 'profile_id'],
    lineOf: ({ platform, profile_id, updated_at }, document) => ({
      platform_id: platformFromCode(Number(platform)),
      profile_id: String(profile_id),
      ...lineOf(
        document,
        Number(updated_at) === UNKNOWN_SORT_VALUE ? null : new Date(Number(updated_at)).toISOString(),
      ),
    }),
  };
}

export const REINDEX_SOURCES: Readonly<Record<ReindexKind, ReindexSource>> = {
  profiles: { entity: ProfileEntity, keys: ['platform', 'id'], kept: HELD_COLUMNS },
  content: { entity: ContentEntity, keys: ['platform', 'content_id'] },
  games: { entity: GameEntity, keys: ['id'] },
  analysis: {
    ...documentSource('analysis', (analysis, updated_at) => ({ analysis, updated_at })),
    kept: ['source'],
  },
  audience: documentSource('audience', (audience, last_updated_at) => ({ audience, last_updated_at })),
  socials: documentSource('socials', (links) => ({ links })),
  emails: documentSource('emails', (document) => document),
};
