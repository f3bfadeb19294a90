import { Entity, Index } from 'typeorm';
import { BigintColumn, DocumentColumn, IdColumn, PlatformColumn } from './columns.js';

/** Times at which a record and its members were last observed at the source. Not part of the record, because no request reads
 * them. Only records loaded by `ingest` have one: `import` does not know when its lines were observed. */
@Entity('observations', { withoutRowid: true })
@Index('observations_by_time', ['scope', 'observed_at', 'id'])
export class ObservationEntity {
  /** Code for the kind and platform of the record. */
  @PlatformColumn({ primary: true }) scope: number;
  @IdColumn({ primary: true }) id: string;
  /** Time of the newest observation, in milliseconds since 1970. */
  @BigintColumn() observed_at: number;
  /** Observation time per member, and the snapshots of a live stream. */
  @DocumentColumn() document: Buffer;
}
