import { Entity, Index } from 'typeorm';
import { BigintColumn, DocumentColumn, IdColumn, PlatformColumn } from '../../database/columns.js';

/** Document about a creator beyond the profile. Each kind of document has its own table. */
export abstract class CreatorDocumentEntity {
  @PlatformColumn({ primary: true }) platform: number;
  @IdColumn({ primary: true }) profile_id: string;
  /** Milliseconds since 1970, or `UNKNOWN_SORT_VALUE`. */
  @BigintColumn() updated_at: number;
  @DocumentColumn() document: Buffer;
}

@Entity('creator_analyses')
export class CreatorAnalysisEntity extends CreatorDocumentEntity {}

@Entity('audience_analyses')
export class AudienceAnalysisEntity extends CreatorDocumentEntity {}

@Entity('social_links')
export class SocialLinksEntity extends CreatorDocumentEntity {}

@Entity('emails')
export class EmailEntity extends CreatorDocumentEntity {}

export type CreatorDocumentClass = new () => CreatorDocumentEntity;

/** Entities of all kinds of documents about a creator. */
export const CREATOR_DOCUMENTS = [
  CreatorAnalysisEntity,
  AudienceAnalysisEntity,
  SocialLinksEntity,
  EmailEntity,
] as const;

/** Target of a social link, indexed so that `forget` finds all links to a creator. */
@Entity('social_link_targets')
@Index('social_link_targets_by_owner', ['platform', 'profile_id'])
export class SocialTargetEntity {
  @PlatformColumn({ primary: true }) target_platform: number;
  @IdColumn({ primary: true }) target_id: string;
  @PlatformColumn({ primary: true }) platform: number;
  @IdColumn({ primary: true }) profile_id: string;
}
