import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Database } from '../database/database.js';
import { setInstallationSecret } from '../database/installation-secret.js';
import { openMemoryDatabase } from '../schema/open-database.js';
import { importLines } from './import/importer.js';
import { LineReader } from './import/line-reader.js';
import { RECORD_KINDS } from './import/parse-line.js';

/** Folder of the sample data. The relative path works because sources and bundle are equally deep. */
const SAMPLE_FOLDER = fileURLToPath(new URL('../../sample-data', import.meta.url));

/** Loads the sample data into an empty database. */
export async function loadSampleData(database: Database, folder: string): Promise<void> {
  // Profiles last: an interrupted first run leaves none, so the next start loads the sample again.
  for (const kind of RECORD_KINDS.toReversed()) {
    await importLines(database, kind, await LineReader.open(`${folder}/${kind}.ndjson`), {
      strict: true,
      reject: async () => undefined,
      progress: () => undefined,
      signal: new AbortController().signal,
    });
  }
}

/** Opens a database in memory with the sample data, for the answers to test keys. */
export async function openSampleDatabase(folder = SAMPLE_FOLDER): Promise<Database> {
  const database = await openMemoryDatabase();
  try {
    // All processes of a machine share one search index of the sample.
    await setInstallationSecret(database, await hashOf(folder));
    await loadSampleData(database, folder);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function hashOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const kind of RECORD_KINDS) hash.update(await readFile(`${folder}/${kind}.ndjson`));
  return hash.digest('hex');
}
