import { EntitySchema } from 'typeorm';
import { bigintColumn, bytewiseColumn, type Dialect } from './columns.js';

/** Numbers that all processes share: `games_revision`, and `data_lock`, whose row writers lock. */
export interface StoredCounter {
  name: string;
  value: number;
}

export const counterEntity = (dialect: Dialect) =>
  new EntitySchema<StoredCounter>({
    name: 'counters',
    columns: { name: bytewiseColumn(dialect, 64, { primary: true }), value: bigintColumn() },
  });
