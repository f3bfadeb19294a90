import { Column, Entity, Index } from 'typeorm';
import { BigintColumn, BytewiseColumn, DocumentColumn } from '../database/columns.js';

/**
 * The usage journal: one row a group of requests that were answered together. A row a request would cost the database
 * several times as much; nothing is searched inside a group.
 */
@Entity('usage_journal')
export class UsageGroupEntity {
  /** UTC day of all its records, as a number such as 20260131. */
  @Column({ type: 'int', primary: true }) day: number;
  /** When the first request of the group arrived, milliseconds since 1970. */
  @BigintColumn({ primary: true }) first_at: number;
  @BytewiseColumn(36, { primary: true }) group_id: string;
  /** The records, oldest first, as `encodeRecords` writes them. */
  @DocumentColumn() document: Buffer;
}

/** The sums of a key, day and operation, kept in the transaction of each group: usage is told without a scan. */
@Entity('usage_totals')
@Index('usage_totals_by_day', ['day', 'key_id', 'operation'])
export class UsageTotalEntity {
  /** Empty for requests without a valid key. */
  @BytewiseColumn(32, { primary: true }) key_id: string;
  @Column({ type: 'int', primary: true }) day: number;
  @BytewiseColumn(32, { primary: true }) operation: string;
  @BigintColumn() requests: number;
  @BigintColumn() quota_units: number;
  @BigintColumn() credits: number;
}
