import { CollectDayEntity } from '../../../src/database/collect-day.entity.js';
import { CollectTargetEntity } from '../../../src/database/collect-target.entity.js';
import type { Database } from '../../../src/database/database.js';
import { withoutSqlCheck } from '../sql/sql-list.js';

/** Removes the ledger and the states of all sources. */
export async function removeCollected({ dataSource }: Database): Promise<void> {
  await withoutSqlCheck(async () => {
    for (const entity of [CollectDayEntity, CollectTargetEntity])
      await dataSource.createQueryBuilder().delete().from(entity).execute();
  });
}
