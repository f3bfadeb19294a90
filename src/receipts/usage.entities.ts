import { Column, Entity, Index } from 'typeorm';
import { BigintColumn, BytewiseColumn, DocumentColumn } from '../database/columns.js';

/** Usage journal: one row per group commit, as one per request costs several times as much. Never searched inside. */
@Entity('usage_journal')
export class UsageGroupEntity {
  /** UTC day of its records, such as 20260131. */
  @Column({ type: 'int', primary: true }) day: number;
  /** First request, milliseconds since 1970. */
  @BigintColumn({ primary: true }) first_at: number;
  @BytewiseColumn(36, { primary: true }) group_id: string;
  /** The records, oldest first, as `encodeRecords` writes them. */
  @DocumentColumn() document: Buffer;
}

/** A process that records usage. Its row goes when it has ended and the store has all that it received. */
@Entity('usage_writers')
export class UsageWriterEntity {
  @BytewiseColumn(16, { primary: true }) writer_id: string;
  @BytewiseColumn(255) host: string;
  @Column({ type: 'int' }) pid: number;
  /** When the row was written, in milliseconds since 1970 on the clock of the process. */
  @BigintColumn() seen_at: number;
  /** Everything received before this instant is in the store; 0 while a file of another process is being settled. */
  @BigintColumn() settled_until: number;
}

/** Sums per key, day and operation, updated with each group: reports need no scan. */
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
