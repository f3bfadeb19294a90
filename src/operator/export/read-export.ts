import { join } from 'node:path';
import { readManifest } from '../manifest-file.js';
import { requireIntact } from '../packed-file.js';
import { EXPORT_FORMAT, listFilesToLoad, type ExportedFile } from './export-manifest.js';

/** Maximum length of a line of an export. A record can be longer than the line of 1 MiB that it was imported from, because members that
 * the line left out are stored as null. Earlier versions stored records 13 times as long. */
export const MAX_EXPORTED_LINE_BYTES = 16 * 1024 * 1024;

/** A verified file of an export. */
export interface VerifiedFile extends ExportedFile {
  readonly path: string;
}

/**
 * Verifies every file of an export before the first is loaded.
 * @returns the files in the order in which they can be loaded
 * @throws OperatorError that names the first invalid file
 */
export async function readExport(folder: string): Promise<VerifiedFile[]> {
  const manifest = await readManifest(EXPORT_FORMAT, folder);
  const files = listFilesToLoad(folder, manifest).map((file) => ({ ...file, path: join(folder, file.name) }));
  for (const file of files) await requireIntact(file.path, file, EXPORT_FORMAT.noun);
  return files;
}
