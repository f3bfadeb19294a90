import { EntitySchema } from 'typeorm';
import { bigintColumn, documentColumn, idColumn, platformColumn, type Dialect } from '../../database/columns.js';

/** What is known about a creator beyond the profile: one document of each kind. */
export interface StoredCreatorDocument {
  platform: number;
  profile_id: string;
  /** Milliseconds since 1970, `UNKNOWN_SORT_VALUE` where unknown. */
  updated_at: number;
  document: string;
}

/** The tables of creator documents; the names are part of the statements. */
export type CreatorDocumentTable = 'creator_analyses' | 'audience_analyses' | 'social_links' | 'emails';

const creatorDocumentEntity = (name: CreatorDocumentTable, dialect: Dialect) =>
  new EntitySchema<StoredCreatorDocument>({
    name,
    columns: {
      platform: platformColumn({ primary: true }),
      profile_id: idColumn(dialect, { primary: true }),
      updated_at: bigintColumn(),
      document: documentColumn(dialect),
    },
  });

/** Who links to whom: finds the links to a creator who is to be forgotten. */
export interface StoredSocialTarget {
  target_platform: number;
  target_id: string;
  platform: number;
  profile_id: string;
}

const socialTargetEntity = (dialect: Dialect) =>
  new EntitySchema<StoredSocialTarget>({
    name: 'social_link_targets',
    columns: {
      target_platform: platformColumn({ primary: true }),
      target_id: idColumn(dialect, { primary: true }),
      platform: platformColumn({ primary: true }),
      profile_id: idColumn(dialect, { primary: true }),
    },
    indices: [{ name: 'social_link_targets_by_owner', columns: ['platform', 'profile_id'] }],
  });

export const analysisEntities = (dialect: Dialect) => [
  creatorDocumentEntity('creator_analyses', dialect),
  creatorDocumentEntity('audience_analyses', dialect),
  creatorDocumentEntity('social_links', dialect),
  creatorDocumentEntity('emails', dialect),
  socialTargetEntity(dialect),
];
