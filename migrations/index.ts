import { CreateTables1763600000000 } from './1763600000000-create-tables.js';
import { AddKeyPolicy1763700200000 } from './1763700200000-add-key-policy.js';
import { CreateObservations1763800000000 } from './1763800000000-create-observations.js';
import { CreateReindexProgress1763900000000 } from './1763900000000-create-reindex-progress.js';
import { CreateUsageWriters1764021600000 } from './1764021600000-create-usage-writers.js';

/** All migrations, oldest first. Listed explicitly, so that no stray file runs as a migration. */
export const migrations = [
  CreateTables1763600000000,
  AddKeyPolicy1763700200000,
  CreateObservations1763800000000,
  CreateReindexProgress1763900000000,
  CreateUsageWriters1764021600000,
];
