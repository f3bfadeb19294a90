import { Audit } from './audit/audit.js';
import { openKeys } from './keys/open-keys.js';
import { ProfileEntity } from '../features/profiles/profile.entity.js';
import { readConfig } from '../model/config.js';
import type { Database } from '../database/database.js';
import { importLines } from './import/importer.js';
import { LineReader } from './import/line-reader.js';
import { IMPORT_KINDS } from './import/parse-line.js';
import { migrate, openDatabase } from '../schema/open-database.js';

/** Prepares an empty database: schema, sample data, first key. @returns the key; null if one exists already */
export async function prepareFirstRun(environment: NodeJS.ProcessEnv, sampleFolder: string): Promise<string | null> {
  const database = await openDatabase(readConfig(environment).database);
  try {
    await migrate(database);
    const audit = new Audit(database, 'first run');
    const keys = await openKeys(database, audit);
    if ((await keys.list()).length > 0) return null;
    if (!(await database.dataSource.getRepository(ProfileEntity).exists())) {
      await loadSample(database, sampleFolder);
      await audit.record({ kinds: IMPORT_KINDS });
    }
    return (await keys.create('first key', null)).key;
  } finally {
    await database.close();
  }
}

async function loadSample(database: Database, folder: string): Promise<void> {
  // Profiles last: an interrupted first run leaves none, so the next start loads the sample again.
  for (const kind of IMPORT_KINDS.toReversed()) {
    await importLines(database, kind, await LineReader.open(`${folder}/${kind}.ndjson`), {
      strict: true,
      reject: async () => undefined,
      progress: () => undefined,
      signal: new AbortController().signal,
    });
  }
}
