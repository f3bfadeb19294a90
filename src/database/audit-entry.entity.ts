import { Entity } from 'typeorm';
import { BigintColumn, BytewiseColumn } from './columns.js';

/** What a command of the operator changed. Rows are only added. */
@Entity('audit_log')
export class AuditEntryEntity {
  /** Time of the entry, in milliseconds since 1970. */
  @BigintColumn({ primary: true }) at: number;
  /** Random, so that entries of one millisecond differ on every engine. */
  @BytewiseColumn(16, { primary: true }) id: string;
  @BytewiseColumn(255) os_user: string;
  @BytewiseColumn(255) host: string;
  /** Name of the command, such as `keys create`. */
  @BytewiseColumn(64) command: string;
  /** JSON object of IDs and counts. */
  @BytewiseColumn(2000) target: string;
  @BytewiseColumn(32) outcome: string;
}
