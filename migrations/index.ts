import { CreateTables1763600000000 } from './1763600000000-create-tables.js';
import { AddKeyPolicy1763700200000 } from './1763700200000-add-key-policy.js';
import { CreateObservations1763800000000 } from './1763800000000-create-observations.js';
import { CreateReindexProgress1763900000000 } from './1763900000000-create-reindex-progress.js';
import { CreateUsageWriters1764021600000 } from './1764021600000-create-usage-writers.js';
import { AddKeyPlans1764064800000 } from './1764064800000-add-key-plans.js';
import { CreateKeyMonths1764064801000 } from './1764064801000-create-key-months.js';
import { CreateAuditLog1764064802000 } from './1764064802000-create-audit-log.js';

/** All migrations, oldest first. Listed explicitly, so that no stray file runs as a migration. */
export const migrations = [
  CreateTables1763600000000,
  AddKeyPolicy1763700200000,
  CreateObservations1763800000000,
  CreateReindexProgress1763900000000,
  CreateUsageWriters1764021600000,
  AddKeyPlans1764064800000,
  CreateKeyMonths1764064801000,
  CreateAuditLog1764064802000,
];
