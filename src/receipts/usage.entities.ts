import { EntitySchema } from 'typeorm';
import { bigintColumn, bytewiseColumn, documentColumn, type Dialect } from '../database/columns.js';

/**
 * The usage journal: one row a group of requests that were answered together. A row a request would cost the database
 * several times as much; nothing is searched inside a group.
 */
export interface StoredUsageGroup {
  /** UTC day of all its records, as a number such as 20260131. */
  day: number;
  /** When the first request of the group arrived, milliseconds since 1970. */
  first_at: number;
  group_id: string;
  /** The records, oldest first, as `encodeRecords` writes them. */
  document: string;
}

export const usageGroupEntity = (dialect: Dialect) =>
  new EntitySchema<StoredUsageGroup>({
    name: 'usage_journal',
    columns: {
      day: { type: 'int', primary: true },
      first_at: bigintColumn({ primary: true }),
      group_id: bytewiseColumn(dialect, 36, { primary: true }),
      document: documentColumn(dialect),
    },
  });

/** The sums of a key, day and operation, kept in the transaction of each group: usage is told without a scan. */
export interface StoredUsageTotal {
  /** Empty for requests without a valid key. */
  key_id: string;
  day: number;
  operation: string;
  requests: number;
  quota_units: number;
  credits: number;
}

export const usageTotalEntity = (dialect: Dialect) =>
  new EntitySchema<StoredUsageTotal>({
    name: 'usage_totals',
    columns: {
      key_id: bytewiseColumn(dialect, 32, { primary: true }),
      day: { type: 'int', primary: true },
      operation: bytewiseColumn(dialect, 32, { primary: true }),
      requests: bigintColumn(),
      quota_units: bigintColumn(),
      credits: bigintColumn(),
    },
    indices: [{ name: 'usage_totals_by_day', columns: ['day', 'key_id', 'operation'] }],
  });
