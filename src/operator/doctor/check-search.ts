import { join } from 'node:path';
import { SearchView } from '../../features/search/search-view.js';
import { readManifest } from '../../features/search/segments/index-folder.mjs';
import type { Config } from '../../model/config.js';
import { good, warning, type Check } from './check.js';

const MIB = 1024 ** 2;

/** Checks the index by which creators are searched for. Services build it, also after it was deleted. */
export function checkSearch({ dataFolder }: Config): Check {
  const folder = join(dataFolder, 'search');
  let view: SearchView | null = null;
  try {
    const manifest = readManifest(folder);
    if (manifest === null) return good('search', 'no index yet: the service builds it at its start');
    view = new SearchView(folder, manifest, null);
    const size = `${view.documents.toLocaleString('en')} creators, ${Math.ceil(view.bytes / MIB)} MiB`;
    return good('search', `${size}, built ${new Date(manifest.builtAt).toISOString()} in ${folder}`);
  } catch (error) {
    return warning('search', `${(error as Error).message}: delete ${folder}, and the service builds the index again`);
  } finally {
    view?.close(null);
  }
}
