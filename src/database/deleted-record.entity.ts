import { Entity, Index } from 'typeorm';
import { BigintColumn, IdColumn, PlatformColumn } from './columns.js';

/** Record that was deleted, for the feeds of changes. Removed when the record is stored again. */
@Entity('deleted_records', { withoutRowid: true })
@Index('deleted_records_by_revision', ['scope', 'revision', 'id'])
export class DeletedRecordEntity {
  /** Kind and platform of the record: `feedScope`. */
  @PlatformColumn({ primary: true }) scope: number;
  @IdColumn({ primary: true }) id: string;
  /** `counters` value of the transaction that deleted the record. */
  @BigintColumn() revision: number;
  /** Milliseconds since 1970. */
  @BigintColumn() changed_at: number;
}
