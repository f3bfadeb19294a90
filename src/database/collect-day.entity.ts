import { Column, Entity } from 'typeorm';
import { BigintColumn, PlatformColumn } from './columns.js';

/** Ledger of a source for one day of its quota, shared by all collectors. A call is counted before it is sent. */
@Entity('collect_days')
export class CollectDayEntity {
  /** Code of the source. */
  @PlatformColumn({ primary: true }) source: number;
  /** Days since 1970 in the time zone in which the source resets its quota. */
  @Column({ type: 'int', primary: true }) day: number;
  @BigintColumn({ default: 0 }) calls: number;
  @BigintColumn({ default: 0 }) units: number;
  /** When the next call may be sent, in milliseconds since 1970. */
  @BigintColumn({ default: 0 }) next_at: number;
}
