import { Column, Entity, Index } from 'typeorm';
import { BigintColumn, BytewiseColumn, DocumentColumn } from '../database/columns.js';

/** Usage journal: one row per group commit, because a row per request costs several times as much. */
@Entity('usage_journal')
export class UsageGroupEntity {
  /** Day number of the records, such as 20260131. */
  @Column({ type: 'int', primary: true }) day: number;
  /** Time of the first request, in milliseconds since 1970. */
  @BigintColumn({ primary: true }) first_at: number;
  @BytewiseColumn(36, { primary: true }) group_id: string;
  /** Records, oldest first, as `encodeRecords` returns them. */
  @DocumentColumn() document: Buffer;
}

/** A process that records usage. Its row is removed once the process has ended and all its records are settled. */
@Entity('usage_writers')
export class UsageWriterEntity {
  @BytewiseColumn(16, { primary: true }) writer_id: string;
  @BytewiseColumn(255) host: string;
  @Column({ type: 'int' }) pid: number;
  /** Time at which the row was written, in milliseconds since 1970 on the clock of the process. */
  @BigintColumn() seen_at: number;
  /** Watermark: all requests received before it are recorded. 0 while the process settles a file of another process. */
  @BigintColumn() settled_until: number;
}

/** Sums per key, day and operation, updated with each group, so that reports need no scan. */
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

/** Sums of a month for a key with a month allowance. Derived from `usage_totals`: a missing row is made from them. */
@Entity('key_months')
export class KeyMonthEntity {
  @BytewiseColumn(32, { primary: true }) key_id: string;
  /** UTC month, such as 202601. */
  @Column({ type: 'int', primary: true }) month: number;
  @BigintColumn() quota_units: number;
  @BigintColumn() credits: number;
  /** Highest allowance threshold that was warned about; 0 for none. */
  @Column({ type: 'int', default: 0 }) warned_percent: number;
}
