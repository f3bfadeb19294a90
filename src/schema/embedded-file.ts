import { access, constants, stat } from 'node:fs/promises';
import { dirname, join, normalize, parse } from 'node:path';
import { sqliteErrorCode } from '../database/sqlite/sqlite-writer.js';
import { ConfigError, usagePathOf } from '../model/config.js';
import { createFolder } from '../model/create-folder.js';

/** Reasons why SQLite cannot use a file, by result code. */
const UNUSABLE: Readonly<Record<string, string>> = {
  SQLITE_CANTOPEN: 'cannot be opened',
  SQLITE_READONLY: 'may not be written by this user',
  SQLITE_NOTADB: 'is not an SQLite database',
};

/**
 * Opens the file of the embedded database. Creates its folder if it is missing.
 * @throws ConfigError if SQLite cannot use the path
 */
export async function openFile<T>(path: string, open: () => Promise<T>): Promise<T> {
  await requireUsable(path);
  try {
    return await open();
  } catch (error) {
    const why = UNUSABLE[sqliteErrorCode(error as Error)];
    throw why === undefined ? error : wrongPath(path, why, error);
  }
}

/** Checks that a database file is not its own usage file (through a link) and not the usage file of another database in its folder.
 * @throws ConfigError */
export async function requireSeparateUsage(path: string, usagePath: string): Promise<void> {
  const { dir, name, ext } = parse(path);
  const main = join(dir, `${name.replace(/-usage$/, '')}${ext}`);
  const [data, usage, other] = await Promise.all([path, usagePath, main].map((each) => stat(each).catch(() => null)));
  if (data && usage && data.dev === usage.dev && data.ino === usage.ino) {
    throw wrongPath(path, `is also its usage file ${usagePath}`);
  }
  if (other?.isFile() && usagePathOf(main) === normalize(path)) throw wrongPath(path, `is the usage file of ${main}`);
}

/** The usage file of an existing database is missing or empty. */
export class MissingUsageError extends Error {
  constructor(path: string, state: 'missing' | 'empty') {
    super(
      `the usage file ${path} is ${state}: restore it from a backup, or run "creator-data migrate --create-usage-file" ` +
        'to go on without the usage so far',
    );
  }
}

/** Checks that a usage file has content, without opening it, because SQLite would create it. @throws MissingUsageError */
export async function requireUsageFile(path: string): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new MissingUsageError(path, 'missing');
  });
  if (found?.isFile() && found.size === 0) throw new MissingUsageError(path, 'empty');
}

/** Checks a path without opening the file, because closing a file releases all its locks in this process. @throws ConfigError */
async function requireUsable(path: string): Promise<void> {
  const folder = dirname(path);
  await createFolder(folder).catch((error: Error) => {
    throw wrongPath(path, `cannot be created (${error.message})`, error);
  });
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) throw wrongPath(path, 'is a folder');
  if (found !== null && !found.isFile()) throw wrongPath(path, 'is not a regular file');
  // The folder must be writable too: SQLite creates its log there.
  for (const each of found === null ? [folder] : [folder, path]) {
    await access(each, constants.R_OK | constants.W_OK).catch((error: Error) => {
      throw wrongPath(path, `cannot be written (${error.message})`, error);
    });
  }
}

const wrongPath = (path: string, why: string, cause?: unknown): ConfigError =>
  new ConfigError(`DATABASE_URL must be sqlite:PATH of a file that this user can write: ${path} ${why}`, { cause });
