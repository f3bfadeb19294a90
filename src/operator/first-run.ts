import '../private-files.js';
import { Audit } from './audit/audit.js';
import { explainError } from './explain-error.js';
import { RECORD_KINDS } from './import/parse-line.js';
import { openKeys } from './keys/open-keys.js';
import { ProfileEntity } from '../features/profiles/profile.entity.js';
import { readConfig, type DatabaseLocation } from '../model/config.js';
import { migrate, openDatabase } from '../schema/open-database.js';
import { loadSampleData } from './sample-data.js';

/** Keys that a first run issues. */
interface FirstKeys {
  readonly key: string;
  readonly testKey: string;
}

/** Prepares an empty database: schema, sample data, first keys. @returns the keys; null if any exists already */
export async function prepareFirstRun(environment: NodeJS.ProcessEnv, sampleFolder: string): Promise<FirstKeys | null> {
  const { database: location } = readConfig(environment);
  try {
    return await prepare(location, sampleFolder);
  } catch (error) {
    throw new Error(explainError(error, location).message, { cause: error });
  }
}

async function prepare(location: DatabaseLocation, sampleFolder: string): Promise<FirstKeys | null> {
  const database = await openDatabase(location);
  try {
    await migrate(database);
    const audit = new Audit(database, 'first run');
    const keys = await openKeys(database, audit);
    if ((await keys.list()).length > 0) return null;
    if (!(await database.dataSource.getRepository(ProfileEntity).exists())) {
      await loadSampleData(database, sampleFolder);
      await audit.record({ kinds: RECORD_KINDS });
    }
    const { key: testKey } = await keys.create('first test key', null, { is_test: 1 });
    return { key: (await keys.create('first key', null)).key, testKey };
  } finally {
    await database.close();
  }
}
