import { CreateTables1763600000000 } from './1763600000000-create-tables.js';
import { AddKeyPolicy1763700200000 } from './1763700200000-add-key-policy.js';
import { CreateObservations1763800000000 } from './1763800000000-create-observations.js';
import { CreateReindexProgress1763900000000 } from './1763900000000-create-reindex-progress.js';
import { CreateUsageWriters1764021600000 } from './1764021600000-create-usage-writers.js';
import { AddKeyPlans1764064800000 } from './1764064800000-add-key-plans.js';
import { CreateKeyMonths1764064801000 } from './1764064801000-create-key-months.js';
import { CreateAuditLog1764064802000 } from './1764064802000-create-audit-log.js';
import { AddRevisions1764151200000 } from './1764151200000-add-revisions.js';
import { CreateDeletedRecords1764151201000 } from './1764151201000-create-deleted-records.js';
import { CreateProfileHistory1764154800000 } from './1764154800000-create-profile-history.js';
import { CreateCollectTables1764250000000 } from './1764250000000-create-collect-tables.js';
import { AddAnalysisSource1764302400000 } from './1764302400000-add-analysis-source.js';
import { CreateEnrichment1764302401000 } from './1764302401000-create-enrichment.js';
import { AddHeldObservations1764500000000 } from './1764500000000-add-held-observations.js';

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
  AddRevisions1764151200000,
  CreateDeletedRecords1764151201000,
  CreateProfileHistory1764154800000,
  CreateCollectTables1764250000000,
  AddAnalysisSource1764302400000,
  CreateEnrichment1764302401000,
  AddHeldObservations1764500000000,
];
