import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder } from '../../model/create-folder.js';

/** Writes files into a folder, which is made if need be; each is there whole or as it was. @returns their paths */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<string[]> {
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
