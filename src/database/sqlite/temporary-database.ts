import type { DatabaseSyncInstance } from '@photostructure/sqlite';

/** Size of the page cache; the rest of a temporary database is in an unnamed file. */
const CACHE_KIB = 16 * 1024;

/** Connection to a temporary database, which is deleted when the connection ends. */
export type TemporaryDatabase = DatabaseSyncInstance;

/** Opens a temporary database for data that does not fit into memory. Its file has no name, so not even a crash leaves it
 * behind. */
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
