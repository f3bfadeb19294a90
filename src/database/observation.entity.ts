import { Entity, Index } from 'typeorm';
import { BigintColumn, DocumentColumn, IdColumn, PlatformColumn } from './columns.js';

/**
 * When a record was last observed at its source, and when each of its members was. Beside the record, because no request
 * reads it. Only what `ingest` loaded has one: `import` says nothing about when.
 */
@Entity('observations', { withoutRowid: true })
@Index('observations_by_time', ['scope', 'observed_at', 'id'])
export class ObservationEntity {
  /** Kind and platform of the record. */
  @PlatformColumn({ primary: true }) scope: number;
  @IdColumn({ primary: true }) id: string;
  /** The newest observation, in milliseconds since 1970. */
  @BigintColumn() observed_at: number;
  /** Times by member, and the looks at a stream. */
  @DocumentColumn() document: Buffer;
}
