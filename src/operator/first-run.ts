import { Audit } from './audit/audit.js';
import { openKeys } from './keys/open-keys.js';
import { ProfileEntity } from '../features/profiles/profile.entity.js';
import { readConfig } from '../model/config.js';
import { migrate, openDatabase } from '../schema/open-database.js';
import { loadSampleData } from './sample-data.js';

/** Prepares an empty database: schema, sample data, first key. @returns the key; null if one exists already */
export async function prepareFirstRun(environment: NodeJS.ProcessEnv, sampleFolder: string): Promise<string | null> {
  const database = await openDatabase(readConfig(environment).database);
  try {
    await migrate(database);
    const keys = await openKeys(database, new Audit(database, 'first run'));
    if ((await keys.list()).length > 0) return null;
    if (!(await database.dataSource.getRepository(ProfileEntity).exists())) await loadSampleData(database, sampleFolder);
    return (await keys.create('first key', null)).key;
  } finally {
    await database.close();
  }
}
