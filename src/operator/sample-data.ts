import { fileURLToPath } from 'node:url';
import type { Database } from '../database/database.js';
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
    await loadSampleData(database, folder);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
