import { Entity, Index } from 'typeorm';
import { DocumentColumn, IdColumn, PlatformColumn } from './columns.js';

/** What `collect` knows of a creator that it asks a source about. */
@Entity('collect_targets')
@Index('collect_targets_by_profile', ['source', 'profile_id'])
export class CollectTargetEntity {
  /** Code of the source. */
  @PlatformColumn({ primary: true }) source: number;
  /** ID of the creator, or `@` and the handle of one who is watched by handle. */
  @IdColumn({ primary: true }) target: string;
  /** ID of the creator; null while only the handle is known. */
  @IdColumn({ nullable: true }) profile_id: string | null;
  /** JSON of a `TargetState`. */
  @DocumentColumn() document: Buffer;
}
