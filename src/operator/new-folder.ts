import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createFolder } from '../model/create-folder.js';
import { OperatorError } from './operator-error.js';

/** Modes of folders and files with usage or personal data: only their owner may read them. */
const PRIVATE_FOLDER_MODE = 0o700;
export const PRIVATE_FILE_MODE = 0o600;

/**
 * Creates a folder complete or not at all: `write` fills a folder beside it, which then gets its name.
 * @param signal stops it, and removes what was written
 * @param write gets the path of the unfinished folder, and must flush its files
 * @throws OperatorError if the folder exists and is not empty
 */
export async function createFolderAtOnce<T>(
  folder: string,
  signal: AbortSignal,
  write: (unfinished: string) => Promise<T>,
): Promise<T> {
  const target = resolve(folder);
  await requireEmpty(target, folder);
  const unfinished = `${target}.part-${randomBytes(4).toString('hex')}`;
  await createFolder(dirname(target));
  await mkdir(unfinished, { mode: PRIVATE_FOLDER_MODE }).catch((error: NodeJS.ErrnoException) => {
    throw Object.assign(error, { path: folder });
  });
  try {
    const result = await write(unfinished);
    await flushFolder(unfinished);
    await requireEmpty(target, folder);
    signal.throwIfAborted();
    await rename(unfinished, target);
    // What was copied may be deleted next: a power failure must not lose the copy.
    await flushFolder(dirname(target));
    return result;
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!signal.aborted) throw error;
    throw new OperatorError('failed', 'stopped, and nothing was written: run the same command again');
  }
}

async function requireEmpty(target: string, folder: string): Promise<void> {
  const entries = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (entries.length === 0) return;
  throw new OperatorError('invalid_arguments', `${folder} exists and is not empty: name a new folder`);
}

/** Makes the names in a folder durable. Ignores errors: some systems cannot flush a folder, and need not. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
