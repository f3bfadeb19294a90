import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents. Not Node's recursive `mkdir`, which loops forever below `/proc`, where `mkdir`
 * fails with ENOENT although the parent exists.
 * @throws Error with the `code` of the failed system call and the `path` that it is about
 */
export async function createFolder(path: string): Promise<void> {
  const problem = await tryToCreate(path);
  if (problem === null) return;
  const parent = dirname(path);
  if (problem.code !== 'ENOENT' || parent === path) throw problem;
  await createFolder(parent);
  const secondProblem = await tryToCreate(path);
  if (secondProblem !== null)
    throw secondProblem.code === 'ENOENT' ? createFolderError(path, secondProblem) : secondProblem;
}

/** Creates a folder without its parents. @returns the error; null if the folder exists now */
async function tryToCreate(path: string): Promise<NodeJS.ErrnoException | null> {
  try {
    await mkdir(path);
    return null;
  } catch (error) {
    const found = await stat(path).catch(() => null);
    return found?.isDirectory() ? null : (error as NodeJS.ErrnoException);
  }
}

/** Replaces ENOENT by EPERM, because ENOENT suggests a missing parent. */
const createFolderError = (path: string, cause: unknown): Error =>
  Object.assign(new Error(`no folder can be created at ${path}`, { cause }), { code: 'EPERM', path });
