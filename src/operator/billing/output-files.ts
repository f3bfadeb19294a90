import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder } from '../../model/create-folder.js';

/** Writes files to a folder, creating it if needed. Each file is replaced atomically. @returns their paths */
export async function writeOutputFiles(folder: string, files: Readonly<Record<string, string>>): Promise<string[]> {
  await createFolder(folder);
  const paths: string[] = [];
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    await writeFile(`${path}.part`, text);
    await rename(`${path}.part`, path);
    paths.push(path);
  }
  return paths;
}
