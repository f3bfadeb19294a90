import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findInstallationId } from '../../database/installation-secret.js';
import { SearchView } from '../../features/search/search-view.js';
import { readManifest } from '../../features/search/segments/index-folder.mjs';
import type { Config, DatabaseLocation } from '../../model/config.js';
import { openDatabase } from '../../schema/open-database.js';
import { good, warning, type Check } from './check.js';

const MIB = 1024 ** 2;

/** Checks the index by which creators are searched for. Services build it, also after it was deleted. */
export async function checkSearch({ dataFolder, database: location }: Config): Promise<Check> {
  const folder = join(dataFolder, 'search');
  let view: SearchView | null = null;
  try {
    const manifest = readManifest(folder);
    if (manifest === null) return good('search', 'no index yet: the service builds it at its start');
    const store = await findStore(location);
    if (store !== null && store !== manifest.store) {
      return warning(
        'search',
        `${folder} is of another database: the service builds its index anew, so give each its own DATA_DIR`,
      );
    }
    view = new SearchView(folder, manifest, null);
    const size = `${view.documents.toLocaleString('en')} creators, ${Math.ceil(view.bytes / MIB)} MiB`;
    return good('search', `${size}, built ${new Date(manifest.builtAt).toISOString()} in ${folder}`);
  } catch (error) {
    return warning('search', `${(error as Error).message}: delete ${folder}, and the service builds the index again`);
  } finally {
    view?.close(null);
  }
}

/** Returns the identifier of the database; null if it cannot be read, which the check of the database reports. */
async function findStore(location: DatabaseLocation): Promise<string | null> {
  if (location.dialect === 'sqlite' && !existsSync(location.path)) return null;
  try {
    const database = await openDatabase(location);
    try {
      return await findInstallationId(database);
    } finally {
      await database.close();
    }
  } catch {
    return null;
  }
}
