import type { EntityClass } from '../../database/statements.js';
import { ContentEntity } from '../../features/content/content.entity.js';
import { GameEntity } from '../../features/games/game.entity.js';
import { ProfileEntity } from '../../features/profiles/profile.entity.js';

/** Kinds of records whose columns are derived from their documents alone. */
export const REINDEX_KINDS = ['profiles', 'content', 'games'] as const;

export type ReindexKind = (typeof REINDEX_KINDS)[number];

/** Table and key of the stored records of a kind. */
interface ReindexSource {
  readonly entity: EntityClass<object>;
  /** Columns of the unique index in whose order records are read. A reindex does not change them. */
  readonly keys: readonly [string, ...string[]];
}

export const REINDEX_SOURCES: Readonly<Record<ReindexKind, ReindexSource>> = {
  profiles: { entity: ProfileEntity, keys: ['platform', 'id'] },
  content: { entity: ContentEntity, keys: ['platform', 'content_id'] },
  games: { entity: GameEntity, keys: ['id'] },
};
