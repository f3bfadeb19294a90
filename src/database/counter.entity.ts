import { Entity } from 'typeorm';
import { BigintColumn, BytewiseColumn } from './columns.js';

/** Counter that all processes share: `games_revision`, or `data_lock`, whose row writers lock. */
@Entity('counters')
export class CounterEntity {
  @BytewiseColumn(64, { primary: true }) name: string;
  @BigintColumn() value: number;
}
