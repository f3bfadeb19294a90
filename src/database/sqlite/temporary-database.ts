import type { Database as SqliteFile } from 'better-sqlite3';

/** Pages that are kept in memory; the rest of a temporary database is in a file that nobody else sees. */
const CACHE_KIB = 16 * 1024;

/** A connection to a database of its own that ends with it. */
export type TemporaryDatabase = SqliteFile;

/** Opens a database for work that does not fit into memory. The file has no name: nothing is left behind, however it ends. */
export async function openTemporaryDatabase(): Promise<TemporaryDatabase> {
  const { default: Sqlite } = await import('better-sqlite3').catch((cause: unknown) => {
    throw new Error(
      'joining needs the package better-sqlite3, which did not install here: run "npm install better-sqlite3"',
      {
        cause,
      },
    );
  });
  const database = new Sqlite('');
  for (const pragma of [
    'page_size = 16384',
    'journal_mode = OFF',
    'synchronous = OFF',
    'temp_store = FILE',
    `cache_size = -${CACHE_KIB}`,
    'locking_mode = EXCLUSIVE',
  ])
    database.pragma(pragma);
  // Results are read while others are written; never of the same table.
  return database.unsafeMode(true);
}
