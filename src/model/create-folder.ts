import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and those above it; one that is there already is fine. Node's own recursive `mkdir` never ends where a
 * folder that exists refuses new ones with ENOENT, as `/proc` does.
 * @throws Error of the system, with the path that it is about
 */
export async function createFolder(path: string): Promise<void> {
  const problem = await tryToCreate(path);
  if (problem === null) return;
  const above = dirname(path);
  if (problem.code !== 'ENOENT' || above === path) throw problem;
  await createFolder(above);
  const stillThere = await tryToCreate(path);
  if (stillThere !== null) throw stillThere.code === 'ENOENT' ? cannotBeCreated(path, stillThere) : stillThere;
}

/** @returns why there is no such folder; null where there is one now */
async function tryToCreate(path: string): Promise<NodeJS.ErrnoException | null> {
  try {
    await mkdir(path);
    return null;
  } catch (error) {
    const found = await stat(path).catch(() => null);
    return found?.isDirectory() ? null : (error as NodeJS.ErrnoException);
  }
}

/** ENOENT would say that a folder is missing, which is the one to be made. */
const cannotBeCreated = (path: string, cause: unknown): Error =>
  Object.assign(new Error(`no folder can be created at ${path}`, { cause }), { code: 'EPERM', path });
