import { Column, Entity, Index } from 'typeorm';
import { BigintColumn, DocumentColumn, IdColumn, PlatformColumn } from '../../database/columns.js';

/** Document about a creator beyond the profile. Each kind of document has its own table. */
export abstract class CreatorDocumentEntity {
  @PlatformColumn({ primary: true }) platform: number;
  @IdColumn({ primary: true }) profile_id: string;
  /** Milliseconds since 1970, or `UNKNOWN_SORT_VALUE`. */
  @BigintColumn() updated_at: number;
  @DocumentColumn() document: Buffer;
  /** `counters` value of the import that last changed the document; 0 for a record that was stored before changes were counted. */
  @BigintColumn({ default: 0 }) revision: number;
  /** Time of that change, in milliseconds since 1970; 0 if it is unknown. */
  @BigintColumn({ default: 0 }) changed_at: number;
}

@Entity('creator_analyses')
@Index('creator_analyses_by_revision', ['platform', 'revision', 'profile_id'])
export class CreatorAnalysisEntity extends CreatorDocumentEntity {
  /** `ANALYSIS_SOURCES` code of where the document comes from. Beside it, so that a look-up needs no second query. */
  @Column({ type: 'tinyint', default: 0 }) source: number;
}

/** Where an analysis comes from: it was imported (`database`), or `enrich analysis` had a model make it. Stored as the index. */
export const ANALYSIS_SOURCES = ['database', 'model'] as const;

export type AnalysisSource = (typeof ANALYSIS_SOURCES)[number];

/** Returns the stored code of a source. */
export const analysisSourceCode = (source: AnalysisSource): number => ANALYSIS_SOURCES.indexOf(source);

@Entity('audience_analyses')
@Index('audience_analyses_by_revision', ['platform', 'revision', 'profile_id'])
export class AudienceAnalysisEntity extends CreatorDocumentEntity {}

@Entity('social_links')
@Index('social_links_by_revision', ['platform', 'revision', 'profile_id'])
export class SocialLinksEntity extends CreatorDocumentEntity {}

@Entity('emails')
@Index('emails_by_revision', ['platform', 'revision', 'profile_id'])
export class EmailEntity extends CreatorDocumentEntity {}

export type CreatorDocumentClass = new () => CreatorDocumentEntity;

/** Entities of the documents about a creator, by kind. */
export const DOCUMENT_ENTITIES = {
  analysis: CreatorAnalysisEntity,
  audience: AudienceAnalysisEntity,
  socials: SocialLinksEntity,
  emails: EmailEntity,
} as const;

export type DocumentKind = keyof typeof DOCUMENT_ENTITIES;

/** Entities of all kinds of documents about a creator. */
export const CREATOR_DOCUMENTS = Object.values(DOCUMENT_ENTITIES);

/** Target of a social link, indexed so that `forget` finds all links to a creator. */
@Entity('social_link_targets')
@Index('social_link_targets_by_owner', ['platform', 'profile_id'])
export class SocialTargetEntity {
  @PlatformColumn({ primary: true }) target_platform: number;
  @IdColumn({ primary: true }) target_id: string;
  @PlatformColumn({ primary: true }) platform: number;
  @IdColumn({ primary: true }) profile_id: string;
}
