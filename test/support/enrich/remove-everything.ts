import { CreatorAnalysisEntity } from '../../../src/features/analysis/analysis.entities.js';
import {
  AnalysisProvenanceEntity,
  EnrichmentJournalEntity,
  EnrichmentRunEntity,
} from '../../../src/features/analysis/enrichment.entities.js';
import { removeAll } from '../lists/lists.js';
import type { TestService } from '../service/test-service.js';
import { withoutSqlCheck } from '../sql/sql-list.js';

const STORED = [CreatorAnalysisEntity, AnalysisProvenanceEntity, EnrichmentJournalEntity, EnrichmentRunEntity];

/** Removes creators and what enriching stores, so that each test selects its own creators only. */
export async function removeEverything(service: TestService): Promise<void> {
  await removeAll(service);
  for (const entity of STORED) {
    await withoutSqlCheck(() => service.database.dataSource.createQueryBuilder().delete().from(entity).execute());
  }
}
