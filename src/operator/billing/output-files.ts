import { join } from 'node:path';
import { createFolder } from '../../model/create-folder.js';
import { renamedOutput, requireNoOverwrite, type ProtectedFile } from '../overwrite-guard.js';
import { replaceFile } from '../replace-file.js';

/** Checks files of a folder before they are read or written. @throws OperatorError if one is protected, or no regular file */
export const requireWritableFiles = (
  folder: string,
  names: readonly string[],
  protectedFiles: readonly ProtectedFile[],
): Promise<void> =>
  requireNoOverwrite(
    names.flatMap((name) => renamedOutput(join(folder, name), '--out')),
    protectedFiles,
  );

/** Writes files to a folder, creating it if needed. Each file is replaced atomically. @returns their paths
 * @throws OperatorError if one would overwrite a protected file */
export async function writeOutputFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
  protectedFiles: readonly ProtectedFile[],
): Promise<string[]> {
  await requireWritableFiles(folder, Object.keys(files), protectedFiles);
  await createFolder(folder);
  const paths: string[] = [];
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    await replaceFile(path, text);
    paths.push(path);
  }
  return paths;
}
