import { open, rename, rm, writeFile, type FileHandle } from 'node:fs/promises';

/** Name of a file until it is complete. */
const partOf = (path: string): string => `${path}.part`;

/** Creates the file that `publishPart` renames. Removes an earlier one first: it could be a link to a file that nobody named. */
export async function createPart(path: string): Promise<FileHandle> {
  await discardPart(path);
  return open(partOf(path), 'wx');
}

/** Gives the finished file its name, and replaces an existing one. */
export const publishPart = (path: string): Promise<void> => rename(partOf(path), path);

export const discardPart = (path: string): Promise<void> => rm(partOf(path), { force: true });

/** Replaces a file atomically, so that nobody reads a partial one. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const part = await createPart(path);
  try {
    await writeFile(part, text);
    await part.close();
    await publishPart(path);
  } catch (error) {
    await part.close();
    await discardPart(path);
    throw error;
  }
}
