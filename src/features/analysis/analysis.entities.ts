import { Entity, Index } from 'typeorm';
import { BigintColumn, DocumentColumn, IdColumn, PlatformColumn } from '../../database/columns.js';

/** What is known about a creator beyond the profile: one document of each kind, each kind in a table of its own. */
export abstract class CreatorDocumentEntity {
  @PlatformColumn({ primary: true }) platform: number;
  @IdColumn({ primary: true }) profile_id: string;
  /** Milliseconds since 1970, `UNKNOWN_SORT_VALUE` where unknown. */
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

export const CREATOR_DOCUMENTS = [
  CreatorAnalysisEntity,
  AudienceAnalysisEntity,
  SocialLinksEntity,
  EmailEntity,
] as const;

/** Who links to whom: finds the links to a creator who is to be forgotten. */
@Entity('social_link_targets')
@Index('social_link_targets_by_owner', ['platform', 'profile_id'])
export class SocialTargetEntity {
  @PlatformColumn({ primary: true }) target_platform: number;
  @IdColumn({ primary: true }) target_id: string;
  @PlatformColumn({ primary: true }) platform: number;
  @IdColumn({ primary: true }) profile_id: string;
}
