import type { DatabaseSyncInstance } from '@photostructure/sqlite';

/** Pages that are kept in memory; the rest of a temporary database is in a file that nobody else sees. */
const CACHE_KIB = 16 * 1024;

/** A connection to a database of its own that ends with it. */
export type TemporaryDatabase = DatabaseSyncInstance;

/** Opens a database for work that does not fit into memory. The file has no name: nothing is left behind, however it ends. */
export async function openTemporaryDatabase(): Promise<TemporaryDatabase> {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const database = new DatabaseSync('');
  for (const pragma of [
    'page_size = 16384',
    'journal_mode = OFF',
    'synchronous = OFF',
    'temp_store = FILE',
    `cache_size = -${CACHE_KIB}`,
    'locking_mode = EXCLUSIVE',
  ])
    database.exec(`PRAGMA ${pragma}`);
  return database;
}
